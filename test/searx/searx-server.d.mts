export interface Searx {
  url: string;
  stop(): Promise<void>;
}

export declare function startSearx(banSeconds?: number): Promise<Searx>;
