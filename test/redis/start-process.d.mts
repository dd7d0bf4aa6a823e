/** A process of a host with jobs. */
export interface ToolsProcess {
  /** Where it listens; empty for a worker. */
  readonly url: string;
  /** Its process id. */
  readonly pid: number;
  /** Ends it as a host is ended: what is in progress gets its grace time. */
  stop(): Promise<void>;
  /** It is gone at once and says nothing to anybody. */
  kill(): Promise<void>;
}

/** Starts a process of `tools-process.mjs` and waits until it is ready. @param env its settings */
export declare function startProcess(env: Record<string, string>): Promise<ToolsProcess>;
