import { type Language } from '../../../lib/text/languages.js';

/** Short talks about a bakery's oven, written for the tests, as people speak. */
export const TALKS: Record<Language, string> = {
  en: `So, um, welcome everybody to the meeting about the new oven for the bakery.
Yeah.
Okay, so the main problem is that the old oven loses heat through the door.
We measured the temperature of the oven for three weeks, and the door loses forty degrees every hour.
Right, right.
You know, the the repair of the door would cost two thousand euros.
Mr. Baker thinks that a new electric oven costs nine thousand euros and saves half of the energy.
Um, I like pizza.
The electric oven needs a stronger power line, and the city has to approve the power line.
What do you think?
We decided to ask the city for the approval of the power line before we order the electric oven.
Until the approval arrives, we will repair the door of the old oven.
The delivery of the electric oven takes ten weeks after the order.`,
  fr: `Alors, euh, bienvenue à tous à cette réunion sur le nouveau four de la boulangerie.
Oui.
Bon, le problème principal est que le vieux four perd de la chaleur par la porte.
Nous avons mesuré la température du four pendant trois semaines, et la porte perd quarante degrés par heure.
La réparation de la porte coûterait deux mille euros.
M. Dupain pense qu'un four électrique coûte neuf mille euros et économise la moitié de l'énergie.
Le four électrique demande une ligne plus puissante, et la ville doit autoriser cette ligne.
Qu'en pensez-vous ?
Nous avons décidé de demander à la ville l'autorisation de la ligne avant de commander le four électrique.
Je pense que la livraison du four électrique prend dix semaines après la commande.`,
  de: `Also, ähm, willkommen zur Besprechung über den neuen Ofen der Bäckerei.
Ja.
Das wichtigste Problem ist, dass der alte Ofen durch die Tür Wärme verliert.
Wir haben die Temperatur des Ofens drei Wochen lang gemessen, und die Tür verliert vierzig Grad in der Stunde.
Die Reparatur der Tür würde zweitausend Euro kosten.
Dr. Beck glaubt, dass ein elektrischer Ofen neuntausend Euro kostet und die Hälfte der Energie spart.
Der elektrische Ofen braucht eine stärkere Leitung, und die Stadt muss die Leitung genehmigen.
Was denkt ihr?
Wir haben entschieden, die Stadt um die Genehmigung der Leitung zu bitten, bevor wir den elektrischen Ofen bestellen.
Ich denke, die Lieferung des elektrischen Ofens dauert zehn Wochen nach der Bestellung.`,
  es: `Bueno, eh, bienvenidos a la reunión sobre el nuevo horno de la panadería.
Sí.
Pues el problema principal es que el horno viejo pierde calor por la puerta.
Medimos la temperatura del horno durante tres semanas, y la puerta pierde cuarenta grados cada hora.
La reparación de la puerta costaría dos mil euros.
El Sr. Panes cree que un horno eléctrico cuesta nueve mil euros y ahorra la mitad de la energía.
El horno eléctrico necesita una línea más potente, y la ciudad tiene que autorizar la línea.
¿Qué piensas tú?
Decidimos pedir a la ciudad la autorización de la línea antes de encargar el horno eléctrico.
Yo creo que la entrega del horno eléctrico tarda diez semanas después del encargo.`,
  pt: `Bom, hum, sejam bem-vindos à reunião sobre o novo forno da padaria.
Sim.
Então o problema principal é que o forno velho perde calor pela porta.
Nós medimos a temperatura do forno durante três semanas, e a porta perde quarenta graus por hora.
A reparação da porta custaria dois mil euros.
O Sr. Pães acha que um forno elétrico custa nove mil euros e poupa metade da energia.
O forno elétrico precisa de uma linha mais potente, e a cidade tem de autorizar a linha.
O que você acha?
Nós decidimos pedir à cidade a autorização da linha antes de encomendar o forno elétrico.
Eu acho que a entrega do forno elétrico demora dez semanas depois da encomenda.`,
  it: `Allora, ehm, benvenuti alla riunione sul nuovo forno della panetteria.
Sì.
Dunque il problema principale è che il vecchio forno perde calore dalla porta.
Abbiamo misurato la temperatura del forno per tre settimane, e la porta perde quaranta gradi ogni ora.
La riparazione della porta costerebbe duemila euro.
Il dott. Pane pensa che un forno elettrico costi novemila euro e risparmi metà dell'energia.
Il forno elettrico richiede una linea più potente, e la città deve autorizzare la linea.
Che cosa ne pensi tu?
Abbiamo deciso di chiedere alla città l'autorizzazione della linea prima di ordinare il forno elettrico.
Io credo che la consegna del forno elettrico richieda dieci settimane dopo l'ordine.`,
};

/** A talk with four subjects, one after the other, long enough to be cut into sections. */
export function talkWithSubjects(): { lines: string[]; borders: number[] } {
  const subjects = [
    ['oven', 'temperature', 'door', 'bread', 'heat'],
    ['invoice', 'customer', 'payment', 'reminder', 'account'],
    ['bicycle', 'delivery', 'basket', 'street', 'courier'],
    ['recipe', 'flour', 'yeast', 'dough', 'kneading'],
  ];
  const patterns = [
    (a: string, b: string) => `We looked at the ${a} again because the ${b} was wrong last month.`,
    (a: string, b: string) => `Every ${a} depends on the ${b} in our bakery.`,
    (a: string, b: string) => `They told me that the ${a} and the ${b} cost too much.`,
    (a: string, b: string) => `The ${b} has to change before the ${a} gets better.`,
  ];
  const lines: string[] = [];
  const borders: number[] = [];
  for (const words of subjects) {
    borders.push(lines.length);
    for (let k = 0; k < 20; k++) {
      const pattern = patterns[k % patterns.length];
      lines.push(pattern?.(words[k % 5] ?? '', words[(k + 2) % 5] ?? '') ?? '');
    }
  }
  return { lines, borders };
}
