import { analyseQuestion, evidenceOf } from '../../../lib/embedded/answer/question.js';
import { wordsOf } from '../../../lib/embedded/answer/words.js';

describe('analyseQuestion', () => {
  it.each([
    ['How many hubs are there in Calder?', 'number'],
    ['how much is a ticket', 'number'],
    ['What does the ticket cost?', 'number'],
    ['How long may a hook run?', 'number'],
    ['When was the bridge opened?', 'time'],
    ['In which version was copy added?', 'open'],
    ['Who ended the republic?', 'person'],
    ['where are the scrolls kept', 'open'],
    ['Why does the canal have no locks?', 'open'],
    ['how do I end a ride', 'open'],
    ['What is a den?', 'definition'],
    ['what is evolution', 'definition'],
    ['What is the cytoskeleton?', 'definition'],
    ['What is a steam engine?', 'definition'],
    ['Was ist eine Zelle?', 'definition'],
    ['Qu’est-ce qu’une cellule ?', 'definition'],
    ['Qu’est-ce que la photosynthèse ?', 'definition'],
    ['¿Qué es una célula?', 'definition'],
    ["Cos'è una cellula?", 'definition'],
    ['Che cos’è la gravità?', 'definition'],
    ['O que é a gravidade?', 'definition'],
    ['What is the longest river?', 'open'],
    ['What is your refund policy?', 'open'],
    ['What is a sail made of?', 'open'],
    ['difference between magma and lava', 'open'],
    ['What are the colours of the flag?', 'open'],
    ['Which zone is closed?', 'open'],
    ['Can I restore only one file when it rains?', 'open'],
    ['refund deadline', 'open'],
    ['height of the tower', 'number'],
    ['Wie viele Plätze hat der Saal?', 'number'],
    ['Was kostet ein neuer Ausweis?', 'number'],
    ['Wo ist das Fundbüro?', 'open'],
    ['Kann ich die Steuer einmal im Jahr bezahlen?', 'open'],
    ['Combien de feuillets a la pâte ?', 'number'],
    ["D'où vient la ratatouille ?", 'open'],
    ['Comment rattraper une mayonnaise qui a tourné ?', 'open'],
    ['À qui doit-on la tarte ?', 'person'],
    ['¿Cuántos peldaños tiene la torre?', 'number'],
    ['donde esta enterrado el fundador', 'open'],
    ['Quanto costa il biglietto?', 'number'],
    ['Perché la torre pende?', 'open'],
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

describe('evidenceOf', () => {
  it.each([
    ['Who is the conductor?', 'Tours of the band begin at noon.', 0],
    ['Who is the conductor?', 'Ann Lee leads the band.', 1],
    ['How deep is the lake?', 'The river, about 3,530 km long, ends in the lake.', 0],
    ['How long is the river?', 'The river, about 3,530 km long, ends in the lake.', 1],
    ['How much does the blender weigh?', 'The cable is 80 cm.', 0],
    ['How much does the blender weigh?', 'The blender has 3 kg.', 1],
  ])('finds the kind of words that a question asks for: %s %s', (question, text, evidence) => {
    expect(evidenceOf(analyseQuestion(question), text, wordsOf(text, 'en'), 'en')).toBe(evidence);
  });
});
