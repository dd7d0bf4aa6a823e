#!/usr/bin/env bash
# Behaviour  A language that has no model is read as English without a word: "1.234,50 €" is 1.734 in German, 12/05/2026 is in December in Brazil.
# Package    @microsoft/recognizers-text-number-with-unit 1.3.1, @microsoft/recognizers-text-date-time 1.3.2; right: chrono-node 2.10.3
# Source     The cultures are in the list that the packages export, and the models of German, Italian and Dutch (dates: Portuguese too) are not in the JavaScript
#            edition. The last parameter `fallbackToDefaultCulture` is true by default. 13/05/2026 is right again, so only days up to the 12th are wrong.
# Met by     Forms, bots and checks that pass on the language of the user.
# Do         Pass `false` as the last argument, which throws, and test with a day below 13.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install @microsoft/recognizers-text-number-with-unit@1.3.1 @microsoft/recognizers-text-date-time@1.3.2 chrono-node@2.10.3
check <<'JS'
import dates from '@microsoft/recognizers-text-date-time';
import units from '@microsoft/recognizers-text-number-with-unit';
import * as chrono from 'chrono-node';
import { finding } from './finding.mjs';

const day = (text, culture, fallback) => dates.recognizeDateTime(text, culture, undefined, undefined, fallback)[0]?.resolution.values[0].value;
const local = (date) => `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
const errorOf = (run) => {
  try {
    return run() ?? 'nothing';
  } catch (error) {
    return error.constructor.name;
  }
};

finding({
  expected: {
    'de 1.234,50 €': '1234.5',
    'es 12/05/2026': '2026-05-12',
    'pt 12/05/2026': '2026-05-12',
    'it 12/05/2026': '2026-05-12',
    'pt 13/05/2026': '2026-05-13',
    'pt by chrono-node': '2026-05-12',
    'pt without the fallback': 'Error',
  },
  seen: {
    'de 1.234,50 €': units.recognizeCurrency('1.234,50 €', 'de-de')[0]?.resolution.value,
    'es 12/05/2026': day('12/05/2026', 'es-es'),
    'pt 12/05/2026': day('12/05/2026', 'pt-br'),
    'it 12/05/2026': day('12/05/2026', 'it-it'),
    'pt 13/05/2026': day('13/05/2026', 'pt-br'),
    'pt by chrono-node': local(chrono.pt.parseDate('12/05/2026')),
    'pt without the fallback': errorOf(() => day('12/05/2026', 'pt-br', false)),
  },
  recorded: {"de 1.234,50 €":"1.734","es 12/05/2026":"2026-05-12","pt 12/05/2026":"2026-12-05","it 12/05/2026":"2026-12-05","pt 13/05/2026":"2026-05-13","pt by chrono-node":"2026-05-12","pt without the fallback":"Error"},
});
JS
