export { bullMqJobs, BullMqJobs } from './bullmq-jobs.js';
export type { BullMqJobsOptions, JobsConnection, JobWorkersOptions } from './jobs.options.js';
export { ToolsWorkerModule } from './bullmq-jobs.js';
