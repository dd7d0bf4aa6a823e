#!/usr/bin/env bash
# Behaviour  Text with combining accents (Unicode form NFD) is given another language: tinyld says Vietnamese for French, Spanish,
#            Portuguese, Czech and Polish; franc, lande and eld each change at least one answer.
# Package    tinyld 1.3.4, franc 6.2.0, lande 1.0.10, eld 2.1.0; unchanged in these sentences: languagedetect 2.0.0
# Source     Their tables hold letter groups of composed text. Combining marks make groups that only Vietnamese samples have, or break words.
# Met by     Text from PDF files, from macOS file names and from some captions, which comes decomposed.
# Do         text.normalize('NFC') before detection.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install tinyld@1.3.4 franc@6.2.0 lande@1.0.10 eld@2.1.0 languagedetect@2.0.0
check <<'JS' 2>/dev/null
import { eld } from 'eld';
import { franc } from 'franc';
import lande from 'lande';
import LanguageDetect from 'languagedetect';
import { detect } from 'tinyld';
import { finding } from './finding.mjs';

await eld.load('large');
const TEXTS = {
  fr: "Les élèves ont été très étonnés par les résultats de l'été dernier à l'école",
  es: 'El niño pequeño soñó que la montaña tenía más años que él y después despertó',
  pt: 'A situação da população não é boa, mas há soluções à disposição dos cidadãos',
  cs: 'Příliš žluťoučký kůň úpěl ďábelské ódy, když šel do školy',
  pl: 'Zażółć gęślą jaźń i wróć później, żeby zjeść śniadanie',
  de: 'Die Prüfungen für Schüler müssen über längere Zeiträume geplant werden',
};
const detectors = {
  tinyld: detect,
  franc,
  lande: (text) => lande(text)[0][0],
  eld: (text) => eld.detect(text).language,
  languagedetect: (text) => new LanguageDetect().detect(text, 1)[0][0],
};
const changed = (name) =>
  Object.entries(TEXTS).flatMap(([language, text]) => {
    const [composed, decomposed] = ['NFC', 'NFD'].map((form) => detectors[name](text.normalize(form)));
    return composed === decomposed ? [] : [`${language}: ${composed} → ${decomposed}`];
  });

finding({
  input: 'six sentences, composed and decomposed',
  expected: Object.fromEntries(Object.keys(detectors).map((name) => [name, []])),
  seen: Object.fromEntries(Object.keys(detectors).map((name) => [name, changed(name)])),
  recorded: {"tinyld":["fr: fr → vi","es: es → vi","pt: pt → vi","cs: cs → vi","pl: pl → vi"],"franc":["pt: por → glg","cs: ces → pol"],"lande":["fr: fra → cat"],"eld":["cs: cs → pl"],"languagedetect":[]},
});
JS
