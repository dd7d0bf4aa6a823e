import type { Warning } from '../../core/warning.js';
import { countWords } from '../../text/count-words.js';
import { identifyLanguage } from '../../text/identify-language.js';
import { languageOf, languageTag, sameLanguage, sameScript } from '../../text/languages.js';

/** The languages that Whisper's servers name in words, each with its code (openai/whisper, `tokenizer.py`; whisper.cpp has the same). */
const NAMES: ReadonlyMap<string, string> = new Map(
  (
    'en english,zh chinese,de german,es spanish,ru russian,ko korean,fr french,ja japanese,pt portuguese,tr turkish,pl polish,ca catalan,' +
    'nl dutch,ar arabic,sv swedish,it italian,id indonesian,hi hindi,fi finnish,vi vietnamese,he hebrew,uk ukrainian,el greek,ms malay,' +
    'cs czech,ro romanian,da danish,hu hungarian,ta tamil,no norwegian,th thai,ur urdu,hr croatian,bg bulgarian,lt lithuanian,la latin,' +
    'mi maori,ml malayalam,cy welsh,sk slovak,te telugu,fa persian,lv latvian,bn bengali,sr serbian,az azerbaijani,sl slovenian,' +
    'kn kannada,et estonian,mk macedonian,br breton,eu basque,is icelandic,hy armenian,ne nepali,mn mongolian,bs bosnian,kk kazakh,' +
    'sq albanian,sw swahili,gl galician,mr marathi,pa punjabi,si sinhala,km khmer,sn shona,yo yoruba,so somali,af afrikaans,oc occitan,' +
    'ka georgian,be belarusian,tg tajik,sd sindhi,gu gujarati,am amharic,yi yiddish,lo lao,uz uzbek,fo faroese,ht haitian creole,' +
    'ps pashto,tk turkmen,nn nynorsk,mt maltese,sa sanskrit,lb luxembourgish,my myanmar,bo tibetan,tl tagalog,mg malagasy,as assamese,' +
    'tt tatar,haw hawaiian,ln lingala,ha hausa,ba bashkir,jw javanese,su sundanese,yue cantonese,my burmese,ca valencian,nl flemish,' +
    'ht haitian,lb letzeburgesch,ps pushto,pa panjabi,ro moldavian,ro moldovan,si sinhalese,es castilian,zh mandarin'
  )
    .split(',')
    .map((entry) => {
      const [code] = entry.split(' ', 1) as [string];
      return [entry.slice(code.length + 1), code];
    }),
);

/** The BCP 47 tag of a language that is named by a tag or, as Whisper does, in English. */
function tagOf(name = ''): string | undefined {
  const lower = name.trim().toLowerCase();
  const code = NAMES.get(lower) ?? (/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/.test(lower) ? lower : undefined);
  return code && languageTag(code);
}

/** Fewest words that say which language they are in, and that they are in none; set by hand. */
const FEWEST_WORDS = 20;
/** Plain bound: so many words that name no language are in none of the six. */
const ENOUGH_WORDS = 40;

/**
 * The language of words that were recognized. What the source of the recording states counts, unless the recognizer and the words agree on
 * another one.
 *
 * @param heard by the recognizer: each language with the number of characters that it was heard in
 * @returns also a warning where the words are no text of the language that the source, or else the recognizer, names
 */
export function spokenLanguage(
  stated: string | undefined,
  heard: readonly { language: string | undefined; length: number }[],
  text: string,
): { language: string; warning?: Warning } {
  const lengths = new Map<string, number>();
  for (const { language, length } of heard) {
    const tag = tagOf(language);
    if (tag !== undefined) lengths.set(tag, (lengths.get(tag) ?? 0) + length);
  }
  const [[recognized] = []] = [...lengths].sort((a, b) => b[1] - a[1]);
  const source = tagOf(stated);
  const words = countWords(text);
  const identified = identifyLanguage(text);
  const read = words < FEWEST_WORDS ? undefined : identified;
  const isReadAs = (tag: string | undefined): boolean =>
    read !== undefined && tag !== undefined && sameLanguage(read, tag);
  const isDubbed = isReadAs(recognized) && !isReadAs(source);
  const language = (isDubbed ? recognized : undefined) ?? source ?? recognized ?? identified ?? 'und';
  const named = source ?? recognized;
  if (named === undefined || isReadAs(named)) return { language };
  // Languages outside of the six are not told from their neighbours for sure, but by their script.
  const isOneOfSix = languageOf(named) !== undefined;
  const isOther = read !== undefined && (isOneOfSix || !sameScript(read, named));
  const isNone = identified === undefined && words >= ENOUGH_WORDS && isOneOfSix;
  if (!isOther && !isNone) return { language };
  const look = isOther ? `look like ${read}` : 'do not look like it';
  const message = `The recording is said to be in ${named}, but the words that were recognized ${look}.`;
  return { language, warning: { code: 'language_doubtful', message } };
}
