import 'reflect-metadata';

/**
 * The decorators of `@nestjs/swagger` that we need, writing the metadata that theirs write, under the keys that the package publishes as
 * `DECORATORS`. A host that makes a document finds it complete; one that makes none does not load a tenth of a second of package for
 * it, and need not have it installed. A test holds them to what the package itself writes.
 */
const KEYS = {
  operation: 'swagger/apiOperation',
  response: 'swagger/apiResponse',
  tags: 'swagger/apiUseTags',
  parameters: 'swagger/apiParameters',
  headers: 'swagger/apiHeaders',
  property: 'swagger/apiModelProperties',
  properties: 'swagger/apiModelPropertiesArray',
  security: 'swagger/apiSecurity',
  extraModels: 'swagger/apiExtraModels',
  excludeController: 'swagger/apiExcludeController',
} as const;

export type Model = abstract new (...args: never[]) => unknown;

export type OpenApiSchema = Record<string, unknown>;

/** A field of a model. Other members go into the schema unchanged. */
interface PropertyOptions extends OpenApiSchema {
  description?: string;
  /** Default: the type of the field in TypeScript. A list holds the model of its items. */
  type?: string | Model | readonly [Model];
  enum?: readonly (string | number)[];
}

/** A field that is always there. */
export function ApiProperty({ type, ...schema }: PropertyOptions): PropertyDecorator {
  const isArray = type && Array.isArray(type);
  const model: unknown = isArray ? type[0] : type;
  return (target, name) => {
    const names = metadata<string[]>(KEYS.properties, target) ?? [];
    const entry = `:${String(name)}`;
    if (!names.includes(entry)) Reflect.defineMetadata(KEYS.properties, [...names, entry], target);
    const own: unknown = model ?? typeOfEnum(schema.enum) ?? Reflect.getMetadata('design:type', target, name);
    // A field that overrides one of the parent class inherits the rest of its description.
    const inherited = Reflect.getMetadata(KEYS.property, target, name) as object | undefined;
    const property = { ...inherited, type: own, ...schema, ...(isArray === undefined ? {} : { isArray }) };
    Reflect.defineMetadata(KEYS.property, property, target, name);
  };
}

export function ApiPropertyOptional(options: PropertyOptions): PropertyDecorator {
  return ApiProperty({ ...options, required: false });
}

export interface ModelProperty {
  name: string;
  schema: OpenApiSchema;
  required: boolean;
  /** Class of its value, or of the items of a list. Absent for plain values. */
  model?: Model;
  isList: boolean;
}

/** The fields of a model, in the order of the class. */
export function propertiesOf(model: Model): ModelProperty[] {
  const target = model.prototype as object;
  const names = metadata<string[]>(KEYS.properties, target) ?? [];
  return names.map((entry) => {
    const name = entry.slice(1);
    const property = Reflect.getMetadata(KEYS.property, target, name) as OpenApiSchema;
    const { type, required = true, isArray: isList = false, ...schema } = property;
    const isClass = typeof type === 'function';
    const isModel = isClass && Reflect.hasMetadata(KEYS.properties, type.prototype as object);
    return {
      name,
      required: required as boolean,
      schema: { ...schema, type: isClass ? type.name.toLowerCase() : type },
      ...(isModel ? { model: type as Model } : {}),
      isList: isList as boolean,
    };
  });
}

/** The JSON Schema of a model and of the models in it: types only. No field is required. */
export function shapeOf(model: Model): OpenApiSchema {
  const properties = propertiesOf(model).map(({ name, schema, model: inner, isList }) => {
    const { type, items } = schema;
    const shape = inner ? shapeOf(inner) : { type, ...(items ? { items } : {}) };
    return [name, isList ? { type: 'array', items: shape } : shape];
  });
  return { type: 'object', properties: Object.fromEntries(properties) as OpenApiSchema };
}

export function ApiOperation(operation: {
  operationId: string;
  summary: string;
  description: string;
}): MethodDecorator {
  return onHandler((handler) => Reflect.defineMetadata(KEYS.operation, operation, handler));
}

export function ApiBody(body: {
  type: Model;
  examples?: Record<string, { value: object }>;
}): MethodDecorator {
  return onHandler((handler) =>
    append(KEYS.parameters, { in: 'body', required: true, ...body, isArray: false }, handler),
  );
}

export function ApiResponse({
  status,
  ...response
}: {
  status: number;
  description: string;
  headers?: Record<string, OpenApiSchema>;
  content?: Record<string, OpenApiSchema>;
}): MethodDecorator {
  return onHandler((handler) => {
    const others = metadata<object>(KEYS.response, handler);
    Reflect.defineMetadata(KEYS.response, { ...others, [status]: response }, handler);
  });
}

/** Models that a document holds although no field has them as its type. */
export function ApiExtraModels(...models: readonly Model[]): MethodDecorator {
  return onHandler((handler) => models.forEach((model) => append(KEYS.extraModels, model, handler)));
}

export function ApiParam(param: {
  name: string;
  description: string;
  schema: OpenApiSchema;
}): MethodDecorator {
  return onHandler((handler) => append(KEYS.parameters, { in: 'path', required: true, ...param }, handler));
}

/** A header that an endpoint reads, or every endpoint of a controller. */
export function ApiHeader({
  name,
  ...header
}: {
  name: string;
  required: boolean;
  description: string;
  schema: OpenApiSchema;
}): ClassDecorator & MethodDecorator {
  const entry = { name, in: 'header', ...header };
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor) =>
    descriptor
      ? append(KEYS.parameters, entry, descriptor.value as object)
      : append(KEYS.headers, entry, target);
}

export function ApiSecurity(scheme: string): ClassDecorator {
  return (controller) => append(KEYS.security, { [scheme]: [] }, controller);
}

export function ApiExcludeController(): ClassDecorator {
  return (controller) => append(KEYS.excludeController, true, controller);
}

export function ApiTags(tag: string): ClassDecorator {
  return (controller) => append(KEYS.tags, tag, controller);
}

/** A `$ref` to a model of the document. */
export const schemaPath = (model: Model): string => `#/components/schemas/${model.name}`;

function onHandler(write: (handler: object) => void): MethodDecorator {
  return (_target, _name, descriptor) => write(descriptor.value as object);
}

function append(key: string, entry: unknown, target: object): void {
  Reflect.defineMetadata(key, [...(metadata<unknown[]>(key, target) ?? []), entry], target);
}

const metadata = <T>(key: string, target: object): T | undefined =>
  Reflect.getMetadata(key, target) as T | undefined;

const typeOfEnum = (values: PropertyOptions['enum']): string | undefined => values && typeof values[0];
