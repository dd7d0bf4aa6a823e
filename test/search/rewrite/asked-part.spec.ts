import { askedPart } from '../../../lib/search/rewrite/asked-part.js';

describe('askedPart', () => {
  it.each([
    [
      'Hello, I am preparing a lesson for my class and I would really love to know, if it is not too much trouble, which organelle makes most of the ATP in a human cell?',
      'which organelle makes most of the ATP in a human cell?',
    ],
    [
      'Hi there! Could you please tell me in which year Mercury was first seen? Thanks!',
      'in which year Mercury was first seen?',
    ],
    [
      'Olá, gostaria de saber qual é o comprimento do rio Tejo, obrigado.',
      'qual é o comprimento do rio Tejo,',
    ],
    [
      'Hola, ¿me podrías decir por favor cuándo se construyó la Torre Eiffel? Gracias.',
      'cuándo se construyó la Torre Eiffel?',
    ],
    [
      'Buongiorno, vorrei sapere quando è stata costruita la Torre di Pisa.',
      'quando è stata costruita la Torre di Pisa.',
    ],
    ['Hallo, kannst du mir bitte sagen, wie hoch die Zugspitze ist?', 'wie hoch die Zugspitze ist?'],
    [
      'Bonjour, je voudrais savoir quand la tour Eiffel a été construite, merci.',
      'quand la tour Eiffel a été construite,',
    ],
  ])('is the question without what leads to it: %s', (text, asked) => {
    expect(askedPart(text)).toBe(asked);
  });

  it.each([
    'Who won the 2038 World Cup?',
    'How well does glass conduct heat, and which metals conduct it best of all?',
    'In 2038 there was a World Cup. Could you tell me who won the final of it?',
    'We are reading about the planet Mars. Could you tell me how many moons it has?',
    'Could you tell me who won the final? I mean the one of 2038.',
    'Is Mercury a planet? I was wondering which one is nearest to the Sun.',
    'tell me about the cells of plants',
    '',
  ])('is the whole text where something else narrows it, or nothing leads to it: %s', (text) => {
    expect(askedPart(text)).toBe(text);
  });
});
