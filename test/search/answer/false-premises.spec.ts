import { withContext } from '../../../lib/core/context.js';
import { ExtractiveAnswer } from '../../../lib/search/answer/extractive-answer.js';

async function probabilityOf(query: string, text: string): Promise<number> {
  const page = { url: 'https://notes.example/1', title: '', text, score: 1 };
  const answer = await withContext(1000, {}, (context) =>
    new ExtractiveAnswer().answer(query, [page], context),
  );
  return answer.answerableProbability;
}

describe('a question that takes for granted', () => {
  it.each([
    ['the opposite verb', 'In what year did Hamsun refuse the prize?', 'Hamsun accepted the prize in 1920.'],
    [
      'the opposite verb, in irregular forms',
      'When did the club of Bergen lose the cup?',
      'The club of Bergen won the cup in 1963.',
    ],
    [
      'the opposite of a passive',
      'When was the mine of Falun closed?',
      'The mine of Falun was opened in 1347.',
    ],
    ['the other end', 'When did the fair of Leipzig end?', 'The fair of Leipzig began on 3 May 1497.'],
    ['the other side of a sale', 'When did Russia buy the islands?', 'Russia sold the islands in 1875.'],
    [
      'a verb with a negative prefix',
      'When did the council approve the plan?',
      'The council disapproved the plan in 1931.',
    ],
    [
      'what is denied',
      'When did the council approve the plan?',
      'The council did not approve the plan in 1931.',
    ],
    [
      'what was tried in vain',
      'When did Bonatti climb the north face?',
      'Bonatti failed to climb the north face in 1964.',
    ],
    [
      'a refusal to do what was done',
      'When did Otto Hahn refuse to sign the letter?',
      'Otto Hahn signed the letter in 1955.',
    ],
    [
      'a denial of what happened',
      'Why did the council not approve the plan?',
      'The council approved the plan because it was cheap.',
    ],
    [
      'the other side of an event',
      'Who was mayor of Lund before the fire?',
      'Nils Ek was mayor of Lund after the fire.',
    ],
    [
      'the opposite verb, in Spanish',
      '¿En qué año rechazó Hamsun el premio?',
      'Hamsun aceptó el premio en el año 1920 y viajó a Estocolmo para recibirlo de las manos del rey.',
    ],
    [
      'the opposite verb, in German',
      'In welchem Jahr wurde das Bergwerk in Falun geschlossen?',
      'Das Bergwerk in Falun wurde im Jahr 1347 eröffnet und gehörte der Krone von Schweden.',
    ],
  ])('%s is not answered', async (_, query, text) => {
    expect(await probabilityOf(query, text)).toBeLessThan(0.5);
  });

  it.each([
    ['its own verb', 'In what year did Hamsun refuse the prize?', 'Hamsun refused the prize in 1920.'],
    [
      'another word for it',
      'In what year did Hamsun refuse the prize?',
      'Hamsun rejected the prize in 1920.',
    ],
    [
      'both verbs',
      'When was the mine of Falun closed?',
      'The mine of Falun was opened in 1347 and closed in 1992.',
    ],
    [
      'the other party of a sale',
      'When did Russia sell the islands?',
      'Japan bought the islands from Russia in 1875.',
    ],
    [
      'a denial up to a time',
      'When did the mine of Falun open?',
      'The mine of Falun did not open until 1347.',
    ],
    [
      'the denied opposite',
      'When did the council reject the plan?',
      'The council did not approve the plan in 1931.',
    ],
    [
      'a refusal',
      'When did Otto Hahn refuse to sign the letter?',
      'Otto Hahn refused to sign the letter in 1955.',
    ],
    [
      'what failed',
      'When did Bonatti fail to climb the north face?',
      'Bonatti failed to climb the north face in 1964.',
    ],
    [
      'what holds at another time of the day',
      'Why is the sky blue during the day?',
      'The sky is blue because air scatters blue light; at night it is dark.',
    ],
    ['a last that is a verb', 'How long did the first siege last?', 'The first siege lasted nine weeks.'],
  ])('what the source says by %s is answered', async (_, query, text) => {
    expect(await probabilityOf(query, text)).toBeGreaterThan(0.5);
  });
});
