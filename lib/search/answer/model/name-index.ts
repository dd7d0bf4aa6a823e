import { NAME_WORD } from '../../../text/names.js';

/** Countries and the like, whose names have too many forms to be compared: EU, UK, US, USA. */
const SHORT_ACRONYM = /^(?:\p{Lu}{2}|USA|UAE)$/u;
/** Fewer letters in common are no stem in common. */
const LEAST_STEM = 4;
/** A form of a name may end in so many letters of its own: `Norway` and `Norwegian`. */
const MOST_ENDING = 3;

/** The words of a text, to look names up in. */
export class NameIndex {
  private readonly words = new Set<string>();
  private readonly stems = new Map<string, string[]>();
  private readonly initials = new Set<string>();

  constructor(text: string) {
    for (const match of text.matchAll(NAME_WORD)) {
      const word = plain(match[0]);
      for (const part of [word, joined(word), ...partsOf(word)]) {
        if (this.words.has(part)) continue;
        this.words.add(part);
        const stem = part.slice(0, 2);
        const known = this.stems.get(stem);
        if (known) known.push(part);
        else this.stems.set(stem, [part]);
      }
    }
    this.addInitials(text);
  }

  /** Whether the text has the name, in another form or as an acronym, too. Short acronyms of countries count as known. */
  has(name: string): boolean {
    if (SHORT_ACRONYM.test(name.replaceAll('.', ''))) return true;
    // In a run of German words, two neighbours must be unknown: a single one may be any noun.
    const words = name.split(' ');
    if (words.length > 1)
      return !words.some((word, i) => i > 0 && !this.has(word) && !this.has(words[i - 1]!));
    const word = plain(name);
    if (
      this.words.has(joined(word)) ||
      this.words.has(word) ||
      this.words.has(word.replace(/s$/, '')) ||
      this.initials.has(word)
    )
      return true;
    const parts = partsOf(word).filter((part) => part.length > 1 || /\d/.test(part));
    if (parts.length <= 1) return this.hasForm(parts[0] ?? word);
    // "EU-wide", "Merkle-Baum": any part will do, but a number or code must be there.
    return (
      parts.some((part) => this.hasForm(part)) &&
      parts.every((part) => !/\d/.test(part) || this.words.has(part.replace(/s$/, '')))
    );
  }

  private hasForm(part: string): boolean {
    if (this.words.has(part) || this.words.has(part.replace(/s$/, '')) || this.initials.has(part))
      return true;
    if (part.length < LEAST_STEM || /\d/.test(part)) return false;
    return (this.stems.get(part.slice(0, 2)) ?? []).some((other) => {
      let same = 0;
      while (same < part.length && part[same] === other[same]) same++;
      return same >= Math.max(LEAST_STEM, Math.min(part.length, other.length) - MOST_ENDING);
    });
  }

  /** `World Health Organization` is known as `who`, `HM Revenue & Customs` as `hmrc`. */
  private addInitials(text: string): void {
    const capitals = [...text.matchAll(/\p{Lu}[\p{L}\p{M}]*/gu)];
    for (let i = 0; i < capitals.length; i++) {
      let letters = initialOf(capitals[i]![0]);
      for (let j = i + 1; j < Math.min(i + 6, capitals.length); j++) {
        const before = capitals[j - 1]!;
        const gap = text.slice(before.index + before[0].length, capitals[j]!.index);
        if (!/^[\s-](?:(?:of|the|and|for|de|la|des|del|di|für|und|et|y|e|&)\s){0,2}$/.test(gap)) break;
        letters += initialOf(capitals[j]![0]);
        if (letters.length <= 8) this.initials.add(letters);
      }
    }
  }
}

/** For an acronym, all letters. */
function initialOf(word: string): string {
  return plain(/^\p{Lu}+$/u.test(word) ? word : word[0]!);
}

function partsOf(word: string): string[] {
  return word.split(/[._'’~+#&-]+/).filter(Boolean);
}

/** `wi-fi` and `wifi`, `u.s.` and `us` are one. */
function joined(word: string): string {
  return word.replace(/[._'’~+#&-]+/g, '');
}

/** Lower case, without diacritics. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
