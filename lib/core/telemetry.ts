import type * as OpenTelemetryApi from '@opentelemetry/api';
import { isMissing } from './ports.js';

/** Values that spans and metrics are labelled with; undefined ones are left out. Never a key, a transcript or the text of a page. */
export type SpanAttributes = Record<string, string | number | boolean | readonly string[] | undefined>;

export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. @param type stable name of the error, e.g. `upstream_timeout` */
  fail(type: string): void;
  end(): void;
  /** Does `work` with this span as the parent of those begun in it. */
  run<T>(work: () => T): T;
}

interface SpanOptions {
  attributes?: SpanAttributes;
  /** `client`: a call to another system; `server`: of one. Default `internal`. */
  kind?: 'internal' | 'client' | 'server';
  /** What the caller sent for tracing (`traceparent`, …). A span in it becomes the parent, and the span that runs now a link. */
  carrier?: object | undefined;
}

export type RecordValue = (value: number, attributes?: SpanAttributes) => void;

interface HistogramOptions {
  description: string;
  /** UCUM, e.g. `s` or `{token}`. */
  unit: string;
  /** Bucket borders; default: the collector's. */
  boundaries?: number[];
}

export interface Telemetry {
  startSpan(name: string, options?: SpanOptions): Span;
  histogram(name: string, options: HistogramOptions): RecordValue;
}

export const NO_SPAN: Span = {
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
  run: (work) => work(),
};

export const NO_TELEMETRY: Telemetry = { startSpan: () => NO_SPAN, histogram: () => () => undefined };

const SCOPE = 'nestjs-tools';

/**
 * Spans and metrics through `@opentelemetry/api`, where the host has installed it (an optional peer); else {@link NO_TELEMETRY}.
 * Which SDK takes them, and whether one does, is the host's.
 */
export async function loadTelemetry(): Promise<Telemetry> {
  try {
    return openTelemetry(await import('@opentelemetry/api'));
  } catch (error) {
    if (isMissing(error, '@opentelemetry/api')) return NO_TELEMETRY;
    throw error;
  }
}

function openTelemetry({
  context,
  metrics,
  propagation,
  trace,
  SpanKind,
  SpanStatusCode,
}: typeof OpenTelemetryApi): Telemetry {
  const tracer = trace.getTracer(SCOPE);
  const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER };
  return {
    startSpan: (name, { attributes = {}, kind = 'internal', carrier } = {}): Span => {
      const active = context.active();
      const parent = carrier ? propagation.extract(active, carrier) : active;
      const outer = trace.getSpanContext(active);
      const links = parent !== active && outer ? [{ context: outer }] : [];
      const span = tracer.startSpan(
        name,
        { attributes: defined(attributes), kind: kinds[kind], links },
        parent,
      );
      return {
        set: (more) => {
          if (span.isRecording()) span.setAttributes(defined(more));
        },
        fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
        end: () => span.end(),
        run: (work) => context.with(trace.setSpan(context.active(), span), work),
      };
    },
    histogram: (name, { description, unit, boundaries }) => {
      const advice = boundaries && { explicitBucketBoundaries: boundaries };
      let provider: OpenTelemetryApi.MeterProvider | undefined;
      let instrument: OpenTelemetryApi.Histogram | undefined;
      return (value, attributes = {}) => {
        // The host's SDK may be registered after this module is, and an instrument made before would stay deaf.
        const current = metrics.getMeterProvider();
        if (!instrument || current !== provider) {
          provider = current;
          instrument = metrics.getMeter(SCOPE).createHistogram(name, { description, unit, advice });
        }
        instrument.record(value, defined(attributes));
      };
    },
  };
}

function defined(attributes: SpanAttributes): OpenTelemetryApi.Attributes {
  const known: OpenTelemetryApi.Attributes = {};
  for (const name of Object.keys(attributes))
    if (attributes[name] !== undefined) known[name] = attributes[name] as string;
  return known;
}
