import { keywordQuery } from '../../lib/search/rewrite-query.js';

describe('keywordQuery', () => {
  it.each([
    'coral bleaching',
    'Who discovered cells?',
    'Common organelles within a human eukaryote',
    'Who won the 2038 World Cup?',
    'what is the tallest building in the world as of today',
    'Quel est le plus haut sommet des Pyrénées ?',
    '',
    '?!',
    'a b c d e f g h i j k l m n o p',
  ])('leaves a short query, or one without words to keep, as it is: %s', (query) => {
    expect(keywordQuery(query)).toBeUndefined();
  });

  it.each([
    [
      'Hi there, I was wondering if you could please tell me who discovered cells with a microscope in 1665? Thanks!',
      ['cells', 'microscope', '1665'],
      ['wondering', 'please', 'Thanks', 'tell'],
    ],
    [
      'Olá, gostaria de saber qual é o comprimento do rio Tejo em Espanha e em Portugal, obrigado.',
      ['comprimento', 'rio', 'Tejo', 'Espanha', 'Portugal'],
      ['gostaria', 'Olá', 'obrigado'],
    ],
    [
      'Hola, ¿me podrías decir por favor en qué año se construyó la Torre Eiffel de París? Gracias.',
      ['año', 'construyó', 'Torre', 'Eiffel', 'París'],
      ['Hola', 'podrías', 'favor', 'Gracias'],
    ],
    [
      'Buongiorno, vorrei sapere per favore quando è stata costruita la Torre di Pisa e quanto è alta.',
      ['costruita', 'Torre', 'Pisa', 'alta'],
      ['Buongiorno', 'vorrei', 'favore'],
    ],
    [
      'Hallo, kannst du mir bitte sagen, wie hoch die Zugspitze ist und wer 1820 zuerst auf dem Gipfel stand?',
      ['hoch', 'Zugspitze', '1820', 'Gipfel'],
      ['Hallo', 'bitte', 'kannst'],
    ],
    [
      "Bonjour, je voudrais savoir s'il vous plaît en quelle année la tour Eiffel a été construite à Paris, merci.",
      ['année', 'tour', 'Eiffel', 'construite', 'Paris'],
      ['Bonjour', 'voudrais', 'savoir', 'merci'],
    ],
  ])('keeps what is asked, with names and numbers: %s', (query, kept, gone) => {
    const words = keywordQuery(query)!.split(' ');
    expect(words).toEqual(expect.arrayContaining(kept));
    for (const word of gone) expect(words).not.toContain(word);
  });

  it('leaves out what stands around a question that says enough, and keeps it where the question points back', () => {
    const around =
      'My daughter came home from school yesterday and was very excited. How many moons does the planet Jupiter have in total?';
    expect(keywordQuery(around)).toBe('moons planet Jupiter total');
    const back = 'Yesterday we read about the Great Red Spot on Jupiter in class. How old is it?';
    expect(keywordQuery(back)).toContain('Great Red Spot Jupiter');
  });

  it('takes a sentence that begins with a filler as one of its own, and keeps one together that has a filler inside', () => {
    const query =
      'I have been reading old papers all afternoon. Do you happen to know what problems of heat conduction in slabs have been solved so far? It would make my day.';
    expect(keywordQuery(query)).toBe('problems heat conduction slabs solved far');
  });
});
