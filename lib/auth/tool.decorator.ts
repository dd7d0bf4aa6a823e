import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { ToolName } from '../core/tool-names.js';

const TOOL = 'nestjs-tools:tool';

/** Names the tool that a route serves, for the guards. */
export const Tool = (name: ToolName): MethodDecorator => SetMetadata(TOOL, name);

/** The tool that a route serves; undefined for a route of the host's own. */
export function toolOf(context: ExecutionContext): ToolName | undefined {
  return Reflect.getMetadata(TOOL, context.getHandler()) as ToolName | undefined;
}
