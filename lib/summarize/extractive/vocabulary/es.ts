import type { Vocabulary } from './vocabulary.js';

export const es: Vocabulary = {
  hesitations: 'eh ehm em mm mmm hm ah oh uh um ay uy',
  answers:
    'sí no vale ok okay claro bueno bien exacto exactamente perfecto cierto correcto genial vaya perdón',
  openers: 'y pues entonces pero ahora mira miren oye o además así luego total venga vaya ya',
  asides: [
    'o sea',
    'es decir',
    'ya sabes',
    'ya saben',
    'sabes',
    'digamos',
    'por supuesto',
    'la verdad',
    'de hecho',
    'en fin',
    'por ejemplo',
    'por cierto',
    'como digo',
    'quiero decir',
    'a ver',
    'más o menos',
  ],
  anaphora:
    'él ella ellos ellas eso esto esta este estos estas esa ese esos esas aquello lo le les su sus cual cuales allí ahí dicho dicha ello ésta éste éstos éstas',
  standAlone: [
    'este libro',
    'esta semana',
    'este vídeo',
    'esta mañana',
    'lo que',
    'lo importante',
    'lo más',
    'este capítulo',
  ],
  casual:
    'yo tú te me mi mis tu tus usted ustedes nos sí vale ok pues bueno oye mira creo pienso digo dices dice sabes cosa cosas tío tía gracias hola adiós claro eh o sea vamos voy va guay genial',
  cues: 'importante principal esencial objetivo meta problema cuestión solución resultado razón conclusión resumen resumir decidir decisión proponer propuesta acordar plan necesario deber primero segundo finalmente hoy porque permitir consistir significar',
  subjects: 'yo tú él ella nosotros nosotras vosotros ustedes usted ellos ellas uno',
  contractions: '',
  demonstratives: 'este esta estos estas ese esa esos esas eso esto aquel aquella allí ahí aquí',
  determiners:
    'el la los las un una unos unas lo mi mis tu tus su sus nuestro nuestra nuestros nuestras cada algún alguna algunos algunas ningún ninguna al del',
  prepositions:
    'de a en con por para sin sobre entre hasta desde hacia según contra durante mediante tras como ante bajo',
  verbs:
    'es son era eran fue fueron ser estar está están estaba estaban estoy he has ha hemos han había habían haber hay hubo tiene tienen tengo tenemos tener puede pueden puedo podemos poder debe deben va van voy vamos ir hace hacen hago hacer dice dicen quiere quieren quiero queremos sabe creo será serán sería sea soy somos',
  coordinators: 'y e o u ni',
  contrasts: 'pero pues entonces sino aunque',
  subordinators: 'que porque si cuando mientras aunque como donde para',
  interrogatives: 'qué quién quiénes cuál cuáles cómo dónde cuándo cuánto cuántos quien cual cuales cuyo',
  adverbs: 'ahora hoy luego después entonces además también así primero finalmente mañana ayer siempre',
  degrees: 'no muy más menos mucho muchos poco tan tanto casi sólo solo ya aún todavía nunca bastante',
  objects: 'me te se le les nos os lo la los las',
  quantifiers:
    'uno dos tres cuatro cinco seis siete ocho nueve diez cien mil varios todos todas otro otra otros otras ambos',
  courtesies:
    'gracias agradecer bienvenido bienvenidos hola adiós suscribir suscribirse suscríbete suscriptor canal patrocinador patrocinado newsletter notificación campanita clic enlace descripción comentario comentarios vídeo video',
  titles: 'señor señora señores señoras don doña',
  hanging:
    'el la los las un una unos unas de del a al en con por para sin sobre entre y e o u que como cuando si porque donde pero su sus mi mis se me te muy',
  doubles: '',
  abbreviations:
    'sr sra srta dr dra prof ud uds etc p pp art núm no vol ed fig cap av aprox máx mín ej ee.uu',
  questions: ['es que', 'por qué', 'qué es', 'cómo se', 'cuál es', 'cuáles son', 'dónde está', 'quién es'],
  capitals:
    'España Europa México Argentina Alemania Francia Italia Portugal Brasil China India Japón África América Asia Madrid Internet',
};
