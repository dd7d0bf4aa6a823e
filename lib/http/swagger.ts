import type * as Swagger from '@nestjs/swagger';

/**
 * `@nestjs/swagger` is optional: a host without it gets decorators that do nothing. Loaded with `require`, because a decorator
 * cannot wait; only its absence is forgiven.
 */
function load(): Partial<typeof Swagger> {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- optional, and needed at once
    return require('@nestjs/swagger') as typeof Swagger;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return {};
    throw error;
  }
}

const swagger = load();
const nothing = (): MethodDecorator & ClassDecorator & PropertyDecorator => () => undefined;

export const ApiBody: typeof Swagger.ApiBody = swagger.ApiBody ?? nothing;
export const ApiExtraModels: typeof Swagger.ApiExtraModels = swagger.ApiExtraModels ?? nothing;
export const ApiHeader: typeof Swagger.ApiHeader = swagger.ApiHeader ?? nothing;
export const ApiOperation: typeof Swagger.ApiOperation = swagger.ApiOperation ?? nothing;
export const ApiParam: typeof Swagger.ApiParam = swagger.ApiParam ?? nothing;
export const ApiProperty: typeof Swagger.ApiProperty = swagger.ApiProperty ?? nothing;
export const ApiPropertyOptional: typeof Swagger.ApiPropertyOptional = swagger.ApiPropertyOptional ?? nothing;
export const ApiResponse: typeof Swagger.ApiResponse = swagger.ApiResponse ?? nothing;
export const ApiSecurity: typeof Swagger.ApiSecurity = swagger.ApiSecurity ?? nothing;
export const ApiTags: typeof Swagger.ApiTags = swagger.ApiTags ?? nothing;

/** A `$ref` to a model of the document; empty without `@nestjs/swagger`, where no document is made. */
export const getSchemaPath: typeof Swagger.getSchemaPath = swagger.getSchemaPath ?? (() => '');
