#!/usr/bin/env bash
# Behaviour  With failParentOnFailure a parent is not failed when its child fails: it is `waiting` until a worker of the parent's queue takes it.
#            A grandparent stays in `waiting-children` as long, with no sign of the failure.
# Package    bullmq 6.7.0; Redis 7.0.15 (Debian)
# Source     The child's failure writes a mark into the parent and moves it to the wait list; the worker that takes the parent sees the mark and
#            fails it (commands/includes/moveChildFromDependenciesIfNeeded.lua).
# Met by     Hosts that watch state or QueueEvents of the parent, that run the parent's worker elsewhere or only sometimes, or that pause its queue.
# Do         Keep a worker on every queue of a flow. Read the child's failure from the child.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
source "$findings/redis.sh"
install bullmq@6.7.0
check <<'JS'
import { FlowProducer, Queue, Worker } from 'bullmq';
import { finding } from './finding.mjs';

const connection = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT), maxRetriesPerRequest: null };
const flow = await new FlowProducer({ connection }).add({
  name: 'root',
  queueName: 'roots',
  children: [{ name: 'parent', queueName: 'parents', opts: { failParentOnFailure: true }, children: [{ name: 'child', queueName: 'children', opts: { failParentOnFailure: true } }] }],
});
const [{ job: parent }] = flow.children;
const run = (queue, work, event) =>
  new Promise((resolve) => {
    const worker = new Worker(queue, work, { connection });
    worker.once(event, () => resolve(worker));
  });
const states = async () => ({ root: await flow.job.getState(), parent: await parent.getState() });

await run('children', () => Promise.reject(new Error('no')), 'failed');
const before = await states();
await run('parents', () => 'never called', 'failed');
const after = await states();

finding({
  input: 'root ← parent ← child, failParentOnFailure on both; the child fails',
  expected: { 'no worker for the parent': { root: 'failed', parent: 'failed' }, 'a worker for the parent': { root: 'failed', parent: 'failed' } },
  seen: { 'no worker for the parent': before, 'a worker for the parent': after },
  recorded: {"no worker for the parent":{"root":"waiting-children","parent":"waiting"},"a worker for the parent":{"root":"waiting","parent":"failed"}},
});
await new Queue('roots', { connection }).close();
process.exit();
JS
