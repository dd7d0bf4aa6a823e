import { SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { ToolName } from '../core/tool-names.js';

const TOOL = 'nestjs-tools:tool';
const MOUNT_PATH = 'nestjs-tools:mount-path';

/** Names the tool that a route serves, for the guards. */
export const Tool = (name: ToolName): MethodDecorator => SetMetadata(TOOL, name);

/** The tool that a route serves; undefined for a route of the host's own. */
export function toolOf(context: ExecutionContext): ToolName | undefined {
  return Reflect.getMetadata(TOOL, context.getHandler()) as ToolName | undefined;
}

/** Marks a controller of the tools with the path of its registration. */
export const MountPath = (path: string): ClassDecorator => SetMetadata(MOUNT_PATH, path);

/** The path at which a controller of the tools is mounted; undefined for a controller of the host. */
export function mountPathOf(controller: object): string | undefined {
  return Reflect.getMetadata(MOUNT_PATH, controller) as string | undefined;
}
