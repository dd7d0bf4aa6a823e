import {
  applyDecorators,
  Controller,
  createParamDecorator,
  Delete,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Patch,
  Post,
  Put,
  Req,
  Res,
  UseFilters,
  VERSION_NEUTRAL,
  type ExecutionContext,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { Tool, type ToolRequest, type ToolResponse } from '../core/http-exchange.js';
import { MethodNotAllowedError, UnsupportedMediaTypeError } from '../core/errors.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import { ApiExcludeController } from '../core/openapi.js';
import { parseRequest } from '../tools/parse-request.js';
import type { RequestBounds, ToolDefinition } from '../tools/tool-definition.js';
import { ApiTool } from './openapi.decorators.js';
import { ToolHandler } from './tool-handler.js';
import { ToolsController, type Mount } from './tools-controller.decorator.js';
import { ToolsExceptionFilter } from './tools-exception.filter.js';

/** The controller of `POST …/<tool>` for one registration: each has its own class, path, guards and operation id. */
export function toolController(tool: ToolDefinition, mount: Mount): Type<unknown> {
  @ToolsController(mount)
  class ToolController {
    constructor(@Inject(ToolHandler) private readonly handler: ToolHandler) {}

    @Post(tool.name)
    @HttpCode(200)
    @Tool(tool.name)
    @ApiTool(tool, mount)
    handle(
      @JsonBody(bodyPipeOf(tool)) dto: unknown,
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): ReturnType<ToolHandler['handle']> {
      return this.handler.handle(tool, dto as object, request, response);
    }
  }
  return ToolController;
}

/** Answers 405 to other methods at the paths of the tools. Needs no key: a person who opens the address is told what to do. */
export function otherMethodsController(paths: string[], mount: Mount): Type<unknown> {
  const refuse = (): never => {
    throw new MethodNotAllowedError(['POST']);
  };
  @Controller({ path: mount.path, version: VERSION_NEUTRAL })
  @UseFilters(ToolsExceptionFilter)
  @applyDecorators(...mount.decorators)
  @ApiExcludeController()
  class OtherMethodsController {
    @Get(paths)
    get(): never {
      return refuse();
    }

    @Put(paths)
    put(): never {
      return refuse();
    }

    @Patch(paths)
    patch(): never {
      return refuse();
    }

    @Delete(paths)
    delete(): never {
      return refuse();
    }
  }
  return OtherMethodsController;
}

/**
 * The body of a request that says it is JSON. Its own decorator and not `@Body`: a global `ValidationPipe` of the host leaves parameters
 * of custom decorators alone, and the media type is checked before the body.
 *
 * @throws UnsupportedMediaTypeError (415)
 */
const JsonBody = createParamDecorator((_data: unknown, context: ExecutionContext): unknown => {
  const { headers, body } = context.switchToHttp().getRequest<ToolRequest & { body?: unknown }>();
  const type = headers['content-type'];
  if (!type || !/^application\/json\s*(;|$)/i.test(type.trim())) throw new UnsupportedMediaTypeError(type);
  return body;
});

/** Validates the body of a tool. @throws InvalidRequestError (400), from the pipe */
function bodyPipeOf({ request, check }: ToolDefinition): Type<PipeTransform> {
  @Injectable()
  class ToolBodyPipe implements PipeTransform {
    constructor(@Inject(RESOLVED_OPTIONS) private readonly options: { search: { service: RequestBounds } }) {}

    transform(body: unknown): object {
      return parseRequest(request, body, check && ((dto) => check(dto, this.options.search.service)));
    }
  }
  return ToolBodyPipe;
}
