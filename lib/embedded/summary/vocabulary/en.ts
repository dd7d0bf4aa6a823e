import type { Vocabulary } from './vocabulary.js';

// prettier-ignore
export const en: Vocabulary = {
  hesitations: 'um uh uhm umm uhh erm er hmm mm mmm hm mm-hmm uh-huh mm-hm mhm uhhuh hmm-hmm huh-uh',
  answers:
    'yeah yep yes yup no nope nah okay ok right alright sure exactly absolutely true great cool fine good ' +
    'sorry bye goodbye wow correct indeed perfect definitely',
  openers:
    'yeah yep okay ok oh ah alright so well and now then but anyway anyways also or basically actually obviously again honestly cause',
  anaphora:
    "it he she they that this these those them him her his its their which such it's that's he's she's " +
    "they're they've they'll it'll that'll he'll she'll he'd she'd they'd it'd another other others both " +
    'neither either same',
  standAlone:
    'this meeting|this morning|this week|this year|this motion|this video|this talk|' +
    'this lecture|this episode|this evening|this afternoon|this month|this country|this one|these days|' +
    'it takes|it turns|it seems|it rained|one day|one thing|such as|those who|those that|that is why',
  announcements:
    "today i want|today i'm|today we|today we're|today we'll|today i'd|today i will|today i'll|i want to talk|i want to start|" +
    "i'm going to show|i'm going to talk|i'm gonna show|i want to tell|i want to spend|i'd like to talk|we're going to look|in this video|in this talk|in this lecture|in this episode|" +
    "this video is|this talk is|we'll look at|let's talk about|i'll show you|my guest today|today's topic|" +
    'the topic today|the subject of',
  casual:
    'i you me my mine your yours myself yourself yeah yep okay ok oh like just really actually basically ' +
    'gonna wanna gotta kinda sorta thing things stuff guy guys kind sort pretty maybe probably guess mean ' +
    "know think cool nice fun funny sorry thanks thank please right well so lot bit i'm i'd i'll i've you're " +
    "you've you'd you'll don't didn't can't isn't that's it's there's what's let's he's she's we're they're " +
    "wasn't doesn't couldn't wouldn't won't whatever anyway hello hi bye um uh yes no hmm say said saying " +
    'tell see look looking got get getting something anything somebody someone somewhere ah hey wow huh',
  cues:
    'decide decision agree agreement propose proposal recommend suggest conclude conclusion summary summarize ' +
    'overall important main key goal aim objective purpose focus discuss discussion problem issue challenge ' +
    'solution result plan need must require necessary first second finally today project because therefore ' +
    'instead concern ensure support announce explain reason strategy',
  subjects: 'i we you he she they it',
  contractions:
    "i'm i've i'd i'll we're we've we'd we'll you're you've you'd you'll he's he'd he'll she's she'd she'll " +
    "they're they've they'd they'll it's it'll it'd that's that'll there's here's what's who's where's how's " +
    "let's there'll",
  demonstratives: 'this that these those there here',
  determiners: 'the a an my your our his her its their every each some any no another',
  prepositions:
    'of in on at to for with from by about into onto over under between through during without within against ' +
    'among across towards toward upon like as than per via near behind off out up down since until before after',
  verbs:
    'is are was were am be been being has have had do does did can could will would shall should may might ' +
    "must isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't " +
    "wouldn't shouldn't gonna wanna gotta need needs want wants think thinks know means says said make makes " +
    'get gets got go goes going come comes take takes use uses work works let seems looks look gives give put ' +
    'see saw went told try trying',
  coordinators: 'and or nor',
  contrasts: 'but so',
  subordinators:
    'because if when while although though whereas unless whether cause',
  interrogatives: 'what which who whom whose how why where',
  adverbs:
    'then now also actually basically first second third finally maybe perhaps however therefore anyway okay ' +
    'again today obviously usually sometimes',
  degrees:
    'not very really just too quite only even still already always never ever more most less much almost ' +
    'pretty',
  greetings: 'hello hi hey welcome bye goodbye thanks thank cheers',
  formulas:
    'good morning|good afternoon|good evening|good night|see you|take care|ladies and gentlemen|' +
    "that's it for|that's all for|stay tuned|let's get started|let's get into|let's jump|right back|" +
    'without further ado|' +
    'like button|short break|thumbs up|apple podcasts|my website|our website|hear me|follow me',
  media:
    'channel video subscribe subscribing subscriber comment bell notification description link ' +
    'episode podcast newsletter instagram twitter facebook tiktok patreon discord youtube playlist upload ' +
    'viewer watching listening bio thumbs',
  promotion:
    'sponsor sponsored sponsoring code discount coupon free trial offer promo affiliate affiliated',
  offers:
    'percent off|dot com slash|dot org slash|promo code|discount code|coupon code|months for free|' +
    "days for free|month for free|free trial|today's sponsor|our sponsor|sponsored by|sponsoring this|" +
    'sponsor of this|brought to you by|quick word from|affiliate links',
  addressees:
    "you your yours you're you'll you've everyone everybody guys folks ladies gentlemen me my",
  doubles: 'that had',
  questions:
    'do you|did you|does it|are you|is it|is that|is there|are there|can you|can we|can i|could you|would you|' +
    'will you|should we|do we|have you|are we|do i|is this|does that|does the|do they|will the|what do|' +
    "what is|what are|what did|how do|how does|how many|how much|why do|why is|where is|who is|what's the|" +
    'would it|could we|shall we',
};
