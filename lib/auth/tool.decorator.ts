import { SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { ToolName } from '../core/tool-names.js';

const TOOL_METADATA = 'nestjs-tools:tool';

/** Names the tool that a route serves, for the guards. */
export const Tool = (name: ToolName): CustomDecorator => SetMetadata(TOOL_METADATA, name);

/** The tool that a route serves; undefined for a route of the host's own. */
export function toolOf(context: ExecutionContext): ToolName | undefined {
  return Reflect.getMetadata(TOOL_METADATA, context.getHandler()) as ToolName | undefined;
}
