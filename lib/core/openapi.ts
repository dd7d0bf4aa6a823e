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

/** A field; always there unless `required` is false. */
export function ApiProperty({ type, ...schema }: PropertyOptions): PropertyDecorator {
  const isArray = type && Array.isArray(type);
  const model: unknown = isArray ? type[0] : type;
  return (target, name) => {
    const names = metadata<string[]>(KEYS.properties, target) ?? [];
    const entry = `:${String(name)}`;
    if (!names.includes(entry)) Reflect.defineMetadata(KEYS.properties, [...names, entry], target);
    const type: unknown =
      model ?? typeOfEnum(schema.enum) ?? Reflect.getMetadata('design:type', target, name);
    // A field that overrides one of the parent class inherits the rest of its description.
    const inherited = Reflect.getMetadata(KEYS.property, target, name) as object | undefined;
    const property = { ...inherited, type, ...schema, ...(isArray === undefined ? {} : { isArray }) };
    Reflect.defineMetadata(KEYS.property, property, target, name);
  };
}

export interface ModelProperty {
  name: string;
  schema: OpenApiSchema;
  required: boolean;
  /** Class of its value, or of the items of a list. Absent for plain values. */
  model?: Model;
  isList: boolean;
}

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

/** The function, called once for each key: what decorators and definitions say does not change. */
export function memoized<Key extends object, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new WeakMap<Key, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/**
 * The JSON Schema of a model and of the models in it: types only. No field is required.
 * @param isShown which fields it has; default all
 */
export function shapeOf(
  model: Model,
  isShown: (model: Model, field: string) => boolean = () => true,
): OpenApiSchema {
  const shown = propertiesOf(model).filter(({ name }) => isShown(model, name));
  const properties = shown.map(({ name, schema, model: inner, isList }) => {
    const { type, items } = schema;
    const shape = inner ? shapeOf(inner, isShown) : { type, ...(items ? { items } : {}) };
    return [name, isList ? { type: 'array', items: shape } : shape];
  });
  return { type: 'object', properties: Object.fromEntries(properties) as OpenApiSchema };
}

export const ApiOperation = (operation: OpenApiSchema): ApiDecorator =>
  decorate((target) => Reflect.defineMetadata(KEYS.operation, operation, target));

export const ApiBody = (body: { type: Model; examples?: OpenApiSchema }): ApiDecorator =>
  adding(KEYS.parameters, { in: 'body', required: true, ...body, isArray: false });

export const ApiParam = (param: OpenApiSchema): ApiDecorator =>
  adding(KEYS.parameters, { in: 'path', required: true, ...param });

export const ApiResponse = ({ status, ...response }: { status: number } & OpenApiSchema): ApiDecorator =>
  decorate((target) => {
    const others = metadata<object>(KEYS.response, target);
    Reflect.defineMetadata(KEYS.response, { ...others, [status]: response }, target);
  });

/** Models that a document holds although no field has them as its type. */
export const ApiExtraModels = (...models: readonly Model[]): ApiDecorator =>
  adding(KEYS.extraModels, ...models);

/** A header that an endpoint reads, or every endpoint of a controller. */
export const ApiHeader = (header: OpenApiSchema): ApiDecorator =>
  decorate((target, isController) =>
    append(isController ? KEYS.headers : KEYS.parameters, [{ in: 'header', ...header }], target),
  );

export const ApiSecurity = (scheme: string): ApiDecorator => adding(KEYS.security, { [scheme]: [] });
export const ApiExcludeController = (): ApiDecorator => adding(KEYS.excludeController, true);
export const ApiTags = (tag: string): ApiDecorator => adding(KEYS.tags, tag);

export const schemaPath = (model: Model): string => `#/components/schemas/${model.name}`;

type ApiDecorator = ClassDecorator & MethodDecorator;

function decorate(write: (target: object, isController: boolean) => void): ApiDecorator {
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor) =>
    write((descriptor?.value as object | undefined) ?? target, !descriptor);
}

const adding = (key: string, ...entries: unknown[]): ApiDecorator =>
  decorate((target) => append(key, entries, target));

function append(key: string, entries: readonly unknown[], target: object): void {
  Reflect.defineMetadata(key, [...(metadata<unknown[]>(key, target) ?? []), ...entries], target);
}

const metadata = <T>(key: string, target: object): T | undefined =>
  Reflect.getMetadata(key, target) as T | undefined;

const typeOfEnum = (values: PropertyOptions['enum']): string | undefined => values && typeof values[0];
