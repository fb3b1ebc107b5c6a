const resources = ['order', 'customer', 'product', 'invoice', 'shipment', 'return', 'supplier', 'warehouse'];

/** An OpenAPI 3 description of a made-up shop, as JSON text. */
export function swaggerDocument(): string {
  const paths = Object.fromEntries(resources.flatMap((name) => [collectionPath(name), itemPath(name)]));
  const schemas = Object.fromEntries(resources.map((name) => [name, schemaOf(name)]));
  const info = {
    title: 'Shop',
    version: '1.0.0',
    description: 'Orders, customers and goods of a made-up shop.',
  };
  return JSON.stringify({ openapi: '3.0.3', info, paths, components: { schemas } }, null, 2);
}

function collectionPath(name: string): [string, object] {
  const item = { $ref: `#/components/schemas/${name}` };
  const list = jsonAnswer(`All ${name}s`, { type: 'array', items: item });
  const body = { required: true, content: { 'application/json': { schema: item } } };
  const post = { tags: [name], summary: `Add a ${name}`, requestBody: body, responses: { 201: list } };
  return [`/${name}s`, { get: { tags: [name], summary: `List ${name}s`, responses: { 200: list } }, post }];
}

function itemPath(name: string): [string, object] {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const found = jsonAnswer(`The ${name}`, { $ref: `#/components/schemas/${name}` });
  const operation = (summary: string): object => ({ tags: [name], summary, responses: { 200: found } });
  const operations = {
    get: operation(`Read a ${name}`),
    put: operation(`Change a ${name}`),
    delete: operation(`Remove a ${name}`),
  };
  return [`/${name}s/{id}`, { parameters: [id], ...operations }];
}

function jsonAnswer(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } };
}

function schemaOf(name: string): object {
  const properties = {
    id: { type: 'integer', example: 17 },
    name: { type: 'string', example: `A ${name}` },
    createdAt: { type: 'string', format: 'date-time' },
  };
  return { type: 'object', required: ['id', 'name'], properties };
}
