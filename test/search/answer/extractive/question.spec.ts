import { analyseQuestion } from '../../../../lib/search/answer/extractive/question.js';

describe('analyseQuestion', () => {
  it.each([
    ['How many hubs are there in Calder?', 'count'],
    ['how much is a ticket', 'amount'],
    ['What does the ticket cost?', 'amount'],
    ['How long may a hook run?', 'duration'],
    ['When was the bridge opened?', 'time'],
    ['In which version was copy added?', 'version'],
    ['Who ended the republic?', 'person'],
    ['where are the scrolls kept', 'which'],
    ['Why does the canal have no locks?', 'which'],
    ['how do I end a ride', 'which'],
    ['What is a den?', 'definition'],
    ['difference between magma and lava', 'comparison'],
    ['What are the colours of the flag?', 'which'],
    ['Which zone is closed?', 'which'],
    ['Can I restore only one file when it rains?', 'yesno'],
    ['refund deadline', 'topic'],
    ['height of the tower', 'amount'],
    ['Wie viele Plätze hat der Saal?', 'count'],
    ['Was kostet ein neuer Ausweis?', 'amount'],
    ['Wo ist das Fundbüro?', 'which'],
    ['Kann ich die Steuer einmal im Jahr bezahlen?', 'yesno'],
    ['Combien de feuillets a la pâte ?', 'count'],
    ["D'où vient la ratatouille ?", 'which'],
    ['Comment rattraper une mayonnaise qui a tourné ?', 'which'],
    ['À qui doit-on la tarte ?', 'person'],
    ['¿Cuántos peldaños tiene la torre?', 'count'],
    ['donde esta enterrado el fundador', 'which'],
    ['Quanto costa il biglietto?', 'amount'],
    ['Perché la torre pende?', 'which'],
    ['Quem construiu a ponte?', 'person'],
    ['Quando é que o museu abre?', 'time'],
  ])('reads "%s" as a question for %s', (query, kind) => {
    expect(analyseQuestion(query).kind).toBe(kind);
  });

  it('leaves out of the terms what only asks', () => {
    const { terms } = analyseQuestion('Please tell me, what is the name of the dog of Leo Barnard?');
    expect(terms.map((t) => t.lower)).toEqual(['dog', 'leo', 'barnard']);
  });

  it('takes a query of keywords to be in the language of the pages that have them', () => {
    const words = new Set('e bike price per minute motor'.split(' '));
    expect(analyseQuestion('e-bike price per minute', { words, language: 'en' }).language).toBe('en');
    expect(analyseQuestion('Was kostet das Fahrrad in der Stadt?', { words, language: 'en' }).language).toBe(
      'de',
    );
  });

  it('knows what an amount is of', () => {
    expect(analyseQuestion('How tall is the tower?').dimensions).toEqual(['length']);
    expect(analyseQuestion('What does it cost per month?').dimensions).toContain('euros');
    expect(analyseQuestion('Who is the mayor?').dimensions).toBeUndefined();
    expect(analyseQuestion('How much is a day pass?').dimensions).toBeUndefined();
  });
});
