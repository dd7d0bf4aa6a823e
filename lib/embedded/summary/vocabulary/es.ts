import type { Vocabulary } from './vocabulary.js';

// prettier-ignore
export const es: Vocabulary = {
  hesitations: 'ehm em mm mmm hm uh um',
  answers:
    'sí no vale ok okay claro bueno bien exacto exactamente perfecto cierto correcto genial vaya perdón',
  openers: 'bueno ah oh ay y pues entonces pero ahora mira miren oye o además así luego total venga vaya ya',
  anaphora:
    'él ella ellos ellas eso esto esta este estos estas esa ese esos esas aquello lo le les su sus cual ' +
    'cuales allí ahí dicho dicha ello ésta éste éstos éstas',
  standAlone:
    'este libro|esta semana|este vídeo|esta mañana|lo que|lo primero|lo importante|lo más|este capítulo|hay|esta noche|' +
    'esta tarde|este año|estos días|este mes|es importante|es posible|es necesario|existe|existen|había|hubo|' +
    'hace',
  announcements:
    'hoy vamos|hoy voy|hoy os|hoy quiero|hoy hablamos|hoy te|hoy les|en este vídeo|en este video|' +
    'en este episodio|os voy a|les voy a|te voy a|quiero contarles|quiero hablar|el tema',
  casual:
    'yo tú te me mi mis tu tus usted ustedes nos sí vale ok pues bueno oye mira creo pienso digo dices dice ' +
    'sabes cosa cosas tío tía gracias hola adiós claro eh o sea vamos voy va guay genial',
  cues:
    'importante principal esencial objetivo meta problema cuestión solución resultado razón conclusión ' +
    'resumen resumir decidir decisión proponer propuesta acordar plan necesario deber primero segundo ' +
    'finalmente hoy porque permitir consistir significar',
  subjects: 'yo tú él ella nosotros nosotras vosotros ustedes usted ellos ellas uno',
  contractions: '',
  demonstratives: 'este esta estos estas ese esa esos esas eso esto aquel aquella allí ahí aquí',
  determiners:
    'el la los las un una unos unas lo mi mis tu tus su sus nuestro nuestra nuestros nuestras cada algún ' +
    'alguna algunos algunas ningún ninguna al del',
  prepositions:
    'de a en con por para sin sobre entre hasta desde hacia según contra durante mediante tras como ante bajo',
  verbs:
    'es son era eran fue fueron ser estar está están estaba estaban estoy he has ha hemos han había habían ' +
    'haber hay hubo tiene tienen tengo tenemos tener puede pueden puedo podemos poder debe deben va van voy ' +
    'vamos ir hace hacen hago hacer dice dicen quiere quieren quiero queremos sabe creo será serán sería sea ' +
    'soy somos',
  coordinators: 'y e o u ni',
  contrasts: 'pero pues entonces sino aunque',
  subordinators: 'que porque si cuando mientras aunque donde',
  interrogatives: 'qué quién quiénes cuál cuáles cómo dónde cuándo cuánto cuántos quien cual cuales cuyo',
  adverbs: 'ahora hoy luego después entonces además también así primero finalmente mañana ayer siempre',
  degrees: 'no muy más menos mucho muchos poco tan tanto casi sólo solo ya aún todavía nunca bastante',
  greetings:
    'hola adiós bienvenido bienvenidos bienvenida gracias abrazo beso saludos',
  formulas:
    'buenos días|buenas tardes|buenas noches|muy buenas|hasta luego|hasta la próxima|hasta pronto|' +
    'nos vemos|qué tal|señoras y señores|vamos allá|hasta la semana|' +
    'me gusta|mi web|en los comentarios|abajo en',
  media:
    'canal vídeo video suscribir suscríbete suscribirte suscribirse comentario comentarios like ' +
    'campanita notificación notificaciones descripción enlace enlaces link episodio podcast newsletter ' +
    'instagram twitter facebook tiktok patreon youtube sígueme síguenos comparte',
  promotion:
    'patrocinado patrocinador patrocina código descuento cupón gratis oferta promoción apúntate regístrate ' +
    'apoyarnos',
  offers:
    'por ciento de descuento|punto com barra|punto es barra|código de descuento|código promocional|' +
    'meses gratis|mes gratis|días gratis|patrocinado por|patrocina este|patrocinador de este|' +
    'patrocinador de hoy',
  addressees:
    'tú te ti tu tus vosotros os vuestro vuestra ustedes usted su sus todos todas amigos chicos señoras ' +
    'señores me mi nos nuestro',
  doubles: '',
  questions: 'es que|por qué|qué es|cómo se|cuál es|cuáles son|dónde está|quién es',
};
