import type { ExecutionContext } from '@nestjs/common';
import type { ToolName } from '../core/tool-names.js';

const TOOL = Symbol.for('nestjs-tools:tool');

/** A handler that serves a tool carries its name itself: three guards ask for it on every request, and a look-up of metadata is slower. */
interface ToolHandler {
  [TOOL]?: ToolName;
}

/** Names the tool that a route serves, for the guards. */
export const Tool =
  (name: ToolName): MethodDecorator =>
  (_target, _key, descriptor) => {
    (descriptor.value as ToolHandler)[TOOL] = name;
  };

/** The tool that a route serves; undefined for a route of the host's own. */
export function toolOf(context: ExecutionContext): ToolName | undefined {
  return (context.getHandler() as ToolHandler)[TOOL];
}
