#!/usr/bin/env bash
# Behaviour  Flows that share a child by its job id: the parent of the first flow goes on when the child is done, the others stay in
#            `waiting-children`, also one that is added after the child is done. (A done job that never had a parent is taken at once.)
# Package    bullmq 6.7.0; Redis 7.0.15 (Debian)
# Source     A job has one parent key. An id that exists is a duplicate, and a duplicate of another parent does not register the second one.
# Met by     Flows whose common step has a fixed id so that it runs once: one download for two reports.
# Do         Give each flow its own child and let the step itself find earlier work, or add the shared step with queue.add, without a flow.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
source "$findings/redis.sh"
install bullmq@6.7.0
check <<'JS'
import { FlowProducer, Worker } from 'bullmq';
import { finding } from './finding.mjs';

const connection = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT), maxRetriesPerRequest: null };
const producer = new FlowProducer({ connection });
const report = async () => (await producer.add({ name: 'report', queueName: 'reports', children: [{ name: 'download', queueName: 'downloads', opts: { jobId: 'page-1' } }] })).job;
const first = await report();
const second = await report();
await new Promise((resolve) => new Worker('downloads', () => 'text', { connection }).once('completed', resolve));
const third = await report();
for (let i = 0; i < 100 && (await third.getState()) !== 'waiting'; i++) await new Promise((resolve) => setTimeout(resolve, 20));

finding({
  input: 'two reports with one download, then a third',
  expected: { first: 'waiting', second: 'waiting', third: 'waiting' },
  seen: { first: await first.getState(), second: await second.getState(), third: await third.getState() },
  recorded: {"first":"waiting","second":"waiting-children","third":"waiting-children"},
});
process.exit();
JS
