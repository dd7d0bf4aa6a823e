#!/usr/bin/env bash
# Behaviour  A duration of ISO 8601 with a comma loses its fraction or is no time at all: PT1,5H is 0 in one library and NaN in another, which reads PT1M30,5S.
# Package    dayjs 1.11.23 (plugin duration), luxon 3.7.2; right: moment 2.31.0, tinyduration 3.4.1, iso8601-duration 2.1.4, temporal-polyfill 1.0.8
# Source     ISO 8601 has a comma or a full stop as decimal sign, and the grammar of Temporal.Duration (ECMA-262) takes both. The expression of dayjs lets the
#            comma in, and Number() makes NaN of the part. That of luxon has the comma for seconds only.
# Met by     Readers of lengths in metadata (schema.org `duration`, `cookTime`) from systems of countries that write a comma.
# Do         Replace the comma by a full stop before parsing: these durations have no groups of thousands.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install dayjs@1.11.23 luxon@3.7.2 moment@2.31.0 tinyduration@3.4.1 iso8601-duration@2.1.4 temporal-polyfill@1.0.8
check <<'JS'
import dayjs from 'dayjs';
import duration from 'dayjs/plugin/duration.js';
import * as iso from 'iso8601-duration';
import { Duration } from 'luxon';
import moment from 'moment';
import { Temporal } from 'temporal-polyfill';
import * as tinyduration from 'tinyduration';
import { finding } from './finding.mjs';

dayjs.extend(duration);
const seconds = {
  dayjs: (text) => dayjs.duration(text).asSeconds(),
  luxon: (text) => Duration.fromISO(text).as('seconds'),
  moment: (text) => moment.duration(text).asSeconds(),
  tinyduration: (text) => {
    const { hours = 0, minutes = 0, seconds: rest = 0 } = tinyduration.parse(text);
    return hours * 3600 + minutes * 60 + rest;
  },
  'iso8601-duration': (text) => iso.toSeconds(iso.parse(text)),
  'temporal-polyfill': (text) => Temporal.Duration.from(text).total('seconds'),
};
const texts = ['PT1.5H', 'PT1,5H', 'PT1M30,5S'];

finding({
  input: texts,
  expected: 'each [5400,5400,90.5]',
  seen: Object.fromEntries(Object.entries(seconds).map(([name, read]) => [name, texts.map((text) => read(text))])),
  recorded: {"dayjs":[5400,0,60],"luxon":[5400,null,90.5],"moment":[5400,5400,90.5],"tinyduration":[5400,5400,90.5],"iso8601-duration":[5400,5400,90.5],"temporal-polyfill":[5400,5400,90.5]},
});
JS
