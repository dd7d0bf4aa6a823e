import type { Span, Telemetry } from '../core/telemetry.js';

/** A span for each step of a request: one step ends where the next begins. */
export class StepSpans {
  private stage?: string;
  private span?: Span;

  constructor(private readonly telemetry: Telemetry) {}

  /** Begins a step, unless it is the one under way. @param stage as in progress events, e.g. `transcript` */
  begin(stage: string): void {
    if (stage === this.stage) return;
    this.end();
    this.stage = stage;
    this.span = this.telemetry.startSpan(`nestjs_tools step ${stage}`, {
      attributes: { 'nestjs_tools.step': stage },
    });
  }

  /** Ends the step under way, if there is one. */
  end(): void {
    this.span?.end();
    this.span = undefined;
    this.stage = undefined;
  }
}
