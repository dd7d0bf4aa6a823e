import 'reflect-metadata';
import * as swagger from '@nestjs/swagger';
import * as ours from '../../lib/core/openapi.js';

class Item {}
class Parent {}
class Child extends Parent {}

type Decorators = Pick<
  typeof ours,
  | 'ApiProperty'
  | 'ApiOperation'
  | 'ApiBody'
  | 'ApiResponse'
  | 'ApiExtraModels'
  | 'ApiHeader'
  | 'ApiSecurity'
  | 'ApiTags'
  | 'ApiExcludeController'
>;

const METADATA_KEYS = Object.values(swagger.DECORATORS);

/** What a set of decorators writes on classes made anew. */
function written(api: Decorators): unknown {
  class Base {
    plain!: string;
    list!: Item[];
  }
  class Model extends Base {
    choice!: string;
    number!: number;
    one!: Item;
    union!: unknown;
  }
  class Controller {
    handler(): void {}
  }
  const field = (target: object, name: string, type: unknown, decorate: PropertyDecorator): void => {
    Reflect.defineMetadata('design:type', type, target, name);
    decorate(target, name);
  };
  field(Base.prototype, 'plain', String, api.ApiProperty({ description: 'Plain.', example: 'x' }));
  field(Base.prototype, 'list', Array, api.ApiProperty({ required: false, type: [Item] }));
  field(Model.prototype, 'choice', String, api.ApiProperty({ enum: ['a', 'b'], default: 'a' }));
  field(Model.prototype, 'number', Number, api.ApiProperty({ required: false, type: 'integer', minimum: 0 }));
  field(Model.prototype, 'one', Item, api.ApiProperty({ type: Item }));
  field(Model.prototype, 'union', Object, api.ApiProperty({ oneOf: [{ type: 'string' }] }));

  field(Model.prototype, 'plain', String, api.ApiProperty({ description: 'Anew.' }));

  const { prototype } = Controller;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'handler')!;
  const onHandler = [
    api.ApiOperation({ operationId: 'ask', summary: 'Ask', description: 'Asks.' }),
    api.ApiBody({ type: Model, examples: { sample: { value: { a: 1 } } } }),
    api.ApiResponse({ status: 200, description: 'Fine.', headers: { A: { schema: {} } } }),
    api.ApiResponse({ status: 400, description: 'Wrong.', content: { 'application/json': { schema: {} } } }),
    api.ApiExtraModels(Parent, Child),
    api.ApiExtraModels(Item),
  ];
  for (const decorate of onHandler) decorate(prototype, 'handler', descriptor);
  const header = { name: 'X-A', description: 'A.', required: false, schema: { type: 'string' } };
  const onClass = [
    api.ApiTags('tools'),
    api.ApiSecurity('key'),
    api.ApiExcludeController(),
    api.ApiHeader(header),
    api.ApiHeader({ ...header, name: 'X-B' }),
  ];
  for (const decorate of onClass) decorate(Controller);

  const of = (target: object, name?: string): unknown[] =>
    METADATA_KEYS.map((key): unknown => [
      key,
      (name === undefined
        ? Reflect.getMetadata(key, target)
        : Reflect.getMetadata(key, target, name)) as unknown,
    ]);
  const fields = ['plain', 'list', 'choice', 'number', 'one', 'union'];
  const text = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (_key, entry: unknown) => (typeof entry === 'function' ? entry.name : entry)),
    );
  return text({
    handler: of(descriptor.value as object),
    controller: of(Controller),
    model: of(Model.prototype),
    fields: fields.map((name) => of(Model.prototype, name)),
  });
}

describe('the metadata for the OpenAPI document', () => {
  it('is what @nestjs/swagger itself writes', () => {
    expect(written(ours)).toEqual(written(swagger as unknown as Decorators));
  });

  it('names a model as @nestjs/swagger does', () => {
    expect(ours.schemaPath(Child)).toBe(swagger.getSchemaPath(Child));
  });
});
