/** Values that spans and metrics are labelled with; undefined ones are left out. Never a key, a transcript or the text of a page. */
export type Attributes = Record<string, string | number | boolean | readonly string[] | undefined>;

/** A stretch of work in a trace. */
export interface Span {
  set(attributes: Attributes): void;
  /** Marks it as failed. @param type stable name of the error, e.g. `upstream_timeout` */
  fail(type: string): void;
  end(): void;
  /** Does `work` with this span as the parent of those begun in it. */
  run<T>(work: () => T): T;
}

interface SpanOptions {
  attributes?: Attributes;
  /** `client`: a call to another system. Default `internal`. */
  kind?: 'internal' | 'client';
}

/** Takes one value of a distribution. */
export type RecordValue = (value: number, attributes?: Attributes) => void;

/** How a distribution is described. */
interface HistogramOptions {
  description: string;
  /** UCUM, e.g. `s` or `{token}`. */
  unit: string;
  /** Bucket borders; default: the collector's. */
  boundaries?: number[];
}

/** Records spans and metrics. */
export interface Telemetry {
  startSpan(name: string, options?: SpanOptions): Span;
  histogram(name: string, options: HistogramOptions): RecordValue;
}

/** A span that is not recorded. */
export const NO_SPAN: Span = {
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
  run: (work) => work(),
};

/** Used if `@opentelemetry/api` is not installed: records nothing. */
export const NO_TELEMETRY: Telemetry = { startSpan: () => NO_SPAN, histogram: () => () => undefined };
