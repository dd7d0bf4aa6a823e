#!/usr/bin/env bash
# Behaviour  The nights when clocks change: four schedulers of cron expressions run one schedule a different number of times. Daily jobs at 02:30 are
#            skipped by one and moved to 03:00 or 03:30 by the others; the hourly job of one has a hole of two hours; a job at 01:15, 02:15 and
#            03:15 runs three or four times.
# Package    cron 4.4.0, croner 11.0.1, node-cron 4.6.0, node-schedule 2.1.1, cron-parser 5.10.6 (which BullMQ uses)
# Source     node-cron's README: the repeated hour runs once. croner's README: jobs of one time a day are moved, others run by the clock.
#            cron-parser's README says only that changes are handled. There is no standard.
# Met by     Whoever counts on one run a day (bills, digests) or on one run an hour (health, rotation) in a zone with summer time.
# Do         Schedule in UTC, or outside 01:00 to 03:59 local time. Make the job safe to skip and to repeat.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install cron@4.4.0 croner@11.0.1 node-cron@4.6.0 node-schedule@2.1.1 cron-parser@5.10.6 @sinonjs/fake-timers@15.5.0
check <<'JS'
import FakeTimers from '@sinonjs/fake-timers';
import { CronJob } from 'cron';
import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import nodeCron from 'node-cron';
import nodeSchedule from 'node-schedule';
import { finding } from './finding.mjs';

const timezone = 'Europe/Berlin';
const NIGHTS = { 'clocks go forward': ['2026-03-28T18:00:00Z', '2026-03-29T06:00:00Z'], 'clocks go back': ['2026-10-24T18:00:00Z', '2026-10-25T06:00:00Z'] };
const start = {
  cron: (expression, run) => CronJob.from({ cronTime: expression, onTick: run, start: true, timeZone: timezone }),
  croner: (expression, run) => new Cron(expression, { timezone }, run),
  'node-cron': (expression, run) => nodeCron.schedule(expression, run, { timezone }),
  'node-schedule': (expression, run) => {
    const job = nodeSchedule.scheduleJob({ rule: expression, tz: timezone }, run);
    return { stop: () => job.cancel() };
  },
};
const local = (date) => date.toLocaleTimeString('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' });

async function runs(name, expression, [from, to]) {
  const times = [];
  if (name === 'cron-parser') {
    const dates = CronExpressionParser.parse(expression, { currentDate: new Date(from), endDate: new Date(to), tz: timezone });
    while (dates.hasNext()) times.push(dates.next().toDate());
    return times;
  }
  const clock = FakeTimers.install({ now: new Date(from), toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Date'] });
  const job = start[name](expression, () => times.push(clock.now));
  await clock.tickAsync(new Date(to) - new Date(from));
  job.stop();
  clock.uninstall();
  return times.map((time) => new Date(time));
}

const seen = {};
for (const [night, between] of Object.entries(NIGHTS)) {
  for (const name of [...Object.keys(start), 'cron-parser']) {
    const times = async (expression) => (await runs(name, expression, between)).map(local).join(' ') || 'none';
    seen[`${night}, ${name}`] = { '30 2 * * *': await times('30 2 * * *'), '15 1-3 * * *': await times('15 1-3 * * *'), 'hours of 12': (await runs(name, '0 * * * *', between)).length };
  }
}

finding({ input: 'two nights in Berlin, 12 hours each, by a fake clock', expected: 'each schedule the same in all five', seen, recorded: {"clocks go forward, cron":{"30 2 * * *":"03:00","15 1-3 * * *":"01:15 03:00 03:15","hours of 12":12},"clocks go forward, croner":{"30 2 * * *":"03:00","15 1-3 * * *":"01:15 03:15","hours of 12":12},"clocks go forward, node-cron":{"30 2 * * *":"none","15 1-3 * * *":"01:15 03:15","hours of 12":12},"clocks go forward, node-schedule":{"30 2 * * *":"03:30","15 1-3 * * *":"01:15 03:15","hours of 12":12},"clocks go forward, cron-parser":{"30 2 * * *":"03:30","15 1-3 * * *":"01:15 03:15","hours of 12":12},"clocks go back, cron":{"30 2 * * *":"02:30","15 1-3 * * *":"01:15 02:15 02:15 03:15","hours of 12":12},"clocks go back, croner":{"30 2 * * *":"02:30","15 1-3 * * *":"01:15 02:15 02:15 03:15","hours of 12":12},"clocks go back, node-cron":{"30 2 * * *":"02:30","15 1-3 * * *":"01:15 02:15 03:15","hours of 12":11},"clocks go back, node-schedule":{"30 2 * * *":"02:30","15 1-3 * * *":"01:15 02:15 03:15","hours of 12":12},"clocks go back, cron-parser":{"30 2 * * *":"02:30","15 1-3 * * *":"01:15 02:15 03:15","hours of 12":12}} });
JS
