import type { Vocabulary } from './vocabulary.js';

// prettier-ignore
export const pt: Vocabulary = {
  hesitations: 'hum hm hmm mm ahn uh',
  answers:
    'sim não tá ok okay claro bom bem exato exatamente certo perfeito isso beleza legal pois desculpa',
  openers: 'tá ah oh ok e então mas aí pois olha veja agora né ou enfim assim daí também depois',
  anaphora:
    'ele ela eles elas isso isto esse essa esses essas este esta estes estas aquilo aquele aquela seu sua ' +
    'seus suas dele dela deles delas qual quais lhe ali lá nele nela disso disto tal neste nesta nestes nestas nesse nessa nesses nessas deste desta destes destas desse dessa',
  standAlone:
    'este livro|esta semana|este vídeo|esta manhã|este capítulo|há|havia|este ano|esta noite|hoje|' +
    'é importante|é possível|é preciso|é necessário|existe|existem|basta|faz|neste vídeo|nesse vídeo|neste episódio|nesta aula|deste ano|aquilo que|aquele que|aqueles que',
  announcements:
    'hoje vamos|hoje eu|hoje vou|hoje quero|neste vídeo|nesse vídeo|neste episódio|vou mostrar|quero falar|' +
    'vamos falar|quero começar|o tema',
  casual:
    'eu tu você vocês me te meu minha teu tua seu nós gente a-gente tá né aí então bom olha acho penso digo ' +
    'diz sabe coisa coisas cara pessoal obrigado obrigada oi olá tchau legal tipo vou vai beleza',
  cues:
    'importante principal essencial objetivo meta problema questão solução resultado razão conclusão resumo ' +
    'resumir decidir decisão propor proposta concordar plano necessário dever primeiro segundo finalmente ' +
    'hoje porque permitir consistir significar',
  subjects: 'eu tu ele ela você nós vós vocês eles elas',
  contractions: '',
  demonstratives:
    'este esta estes estas esse essa esses essas isso isto aquele aquela aquilo aqui ali lá aí',
  determiners:
    'o a os as um uma uns umas meu minha teu tua seu sua seus suas nosso nossa nossos nossas cada algum ' +
    'alguma alguns algumas nenhum nenhuma ao à aos às do da dos das no na nos nas pelo pela pelos pelas num ' +
    'numa',
  prepositions:
    'de em com por para sem sobre entre até desde contra durante como ante sob após segundo pra pro',
  verbs:
    'é são era eram foi foram ser estar está estão estava estavam estou tá tem têm tinha tinham tenho temos ' +
    'ter há havia houve pode podem posso podemos poder deve devem vai vão vou vamos ir faz fazem faço fazer ' +
    'diz dizem quer querem quero sabe acho será serão seria seja sou somos',
  coordinators: 'e ou nem',
  contrasts: 'mas então porém pois',
  subordinators: 'que porque se quando enquanto embora onde caso',
  interrogatives: 'quem qual quais como onde quando quanto quantos cujo cuja',
  adverbs: 'agora hoje depois então também assim primeiro finalmente amanhã ontem sempre além',
  degrees: 'não muito muita muitos mais menos pouco tão tanto quase só já ainda nunca bastante bem',
  greetings:
    'oi olá tchau adeus bem-vindo bem-vindos bem-vinda obrigado obrigada abraço beijo',
  formulas:
    'bom dia|boa tarde|boa noite|até logo|até a próxima|até o próximo|até à próxima|tudo bem|' +
    'senhoras e senhores|vamos lá|até mais|' +
    'o sininho|seu like|meu site|nos comentários|na descrição',
  media:
    'canal vídeo vídeos inscrever inscreve inscreva comentário comentários like joinha sininho notificação ' +
    'notificações descrição link links episódio podcast newsletter instagram twitter facebook tiktok patreon ' +
    'youtube playlist segue siga compartilha compartilhe',
  promotion:
    'patrocinado patrocinador patrocínio código desconto cupom grátis oferta promoção cadastre apoie',
  offers:
    'por cento de desconto|ponto com barra|com o cupom|cupom de desconto|código promocional|meses grátis|' +
    'mês grátis|dias grátis|patrocinado por|patrocina este|patrocinador deste|patrocinador de hoje|' +
    'rapidinho da nossa|rapidinho do nosso',
  addressees:
    'você vocês te ti seu seus sua suas vos vosso todos todas gente pessoal amigos senhoras senhores me meu ' +
    'minha nos nosso',
  doubles: '',
  questions: 'por que|o que|será que|como é|qual é|quais são|onde está|quem é|você sabe',
};
