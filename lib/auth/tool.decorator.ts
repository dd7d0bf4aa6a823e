import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { ToolName } from '../core/tool-names.js';

/** Metadata key under which a route names its tool. */
export const TOOL_METADATA = 'nestjs-tools:tool';

/** Names the tool that a route serves, for the guards. */
export const Tool = (name: ToolName): CustomDecorator => SetMetadata(TOOL_METADATA, name);
