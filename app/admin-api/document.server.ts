/** The OpenAPI 3.1 document of the admin API, written from the declarations of the office's lists and the operations. */
import type { z } from 'zod'
import { schemaOf, webhookDescription } from '#api/document.ts'
import { storeWebhookBody } from '#api/store-webhook-events.ts'
import { permissions } from '#domain/kernel/staff/staff.ts'
import type { AdminOperation } from './operation.ts'
import { adminOperations } from './operations.server.ts'
import { adminResources, rowSchema, type AdminParameter, type AdminResource } from './resources.server.ts'

type Json = { [name: string]: unknown }

/** How many rows a page may have at most, and has without `limit`. */
export const pageSize = { most: 200, usual: 50 } as const

/** Returns the whole document. `issuer` is the sign-in provider, null for a store without one. */
export function adminDocument(origin: string, storeName: string, issuer: string | null): Json {
  const schemas: Record<string, unknown> = { Problem: problemSchema }
  const paths: Record<string, Json> = Object.fromEntries(
    adminResources.map((resource): [string, Json] => [`/${resource.name}`, pathOf(resource, schemas)]),
  )
  for (const operation of adminOperations)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, schemas) }
  return {
    openapi: '3.1.0',
    info: { title: `${storeName} admin API`, version: '1.0.0', summary: 'The back office, for programs.', description },
    servers: [{ url: `${origin}/api/admin` }],
    paths,
    webhooks: {
      storeEvent: webhookDescription(schemas, {
        id: 'storeEvent',
        summary: 'An event of the store',
        body: storeWebhookBody,
        words: 'Stock is sent a minute after its first change, with the units of that moment.',
      }),
    },
    components: {
      schemas,
      securitySchemes:
        issuer === null
          ? {}
          : {
              clientCredentials: {
                type: 'openIdConnect',
                openIdConnectUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
                description: 'An access token of the client credentials grant, with permission names as scopes.',
              },
            },
    },
  }
}

const description = [
  'An owner adds the program in the back office under API clients, with a role. The program requests a token from the sign-in provider with the client credentials grant, this API as the `resource`, and the permissions it needs as scopes, such as `orders.read`.',
  'Amounts are in US cents, instants are RFC 3339 in UTC, and dates are in the time zone of the store. Lists are paginated. Send `next` from a response as `cursor`, with the same filters.',
  'Staff’s actions are operations with the fields of their forms. A change replaces all fields: read the record, and send its `version` back. If someone else changed it meanwhile, the answer is 412.',
  'Errors are RFC 9457 problems with `code` and `detail`.',
].join('\n\n')

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    data: {},
  },
}

const refusedResponse = {
  description: 'The call was refused',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

function pathOf(resource: AdminResource, schemas: Record<string, unknown>): Json {
  const { name, definition, permission, parameters } = resource
  return {
    get: {
      operationId: `list-${name}`,
      summary: definition.caption,
      description: `Requires the permission \`${permission}\`: ${permissions[permission].words.toLowerCase()}.`,
      security: [{ clientCredentials: [permission] }],
      parameters: [
        ...parameters.map(describeParameter),
        {
          name: 'cursor',
          in: 'query',
          description: '`next` from the previous response; omit it for the first page',
          schema: { type: 'string', maxLength: 600 },
        },
        {
          name: 'limit',
          in: 'query',
          description: 'How many rows a page should have; some lists have pages of a fixed size',
          schema: { type: 'integer', minimum: 1, maximum: pageSize.most, default: pageSize.usual },
        },
      ],
      responses: {
        '200': { description: 'A page', content: { 'application/json': { schema: pageSchema(resource, schemas) } } },
        default: refusedResponse,
      },
    },
  }
}

const filesOf = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))

const fieldsOf = ({ shape }: z.ZodObject) => Object.entries<z.ZodType>(shape)

function describe(operation: AdminOperation, schemas: Record<string, unknown>): Json {
  const {
    id,
    summary,
    description: about,
    permission,
    status = 200,
    params,
    query,
    body,
    file,
    returns,
    result,
  } = operation
  const requirement = `Requires the permission \`${permission}\`: ${permissions[permission].words.toLowerCase()}.`
  const inputs = [
    ...fieldsOf(params).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
    ...fieldsOf(query).map(([name, schema]) => ({
      name,
      in: 'query',
      ...(!schema.safeParse(undefined).success && { required: true }),
      schema,
    })),
  ]
  return {
    operationId: id,
    summary,
    description: [about, requirement].filter(Boolean).join(' '),
    security: [{ clientCredentials: [permission] }],
    parameters: inputs.map(({ schema, ...input }) => ({
      ...input,
      schema: schemaOf(schema, 'input', schemas),
    })),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input', schemas) } } },
    }),
    ...(file && {
      requestBody: {
        required: true,
        content: filesOf(file),
      },
    }),
    responses: {
      [status]: {
        description: 'Done',
        ...(result && { content: { 'application/json': { schema: schemaOf(result, 'output', schemas) } } }),
        ...(returns && { content: filesOf(returns) }),
      },
      default: refusedResponse,
    },
  }
}

function describeParameter({ name, words, values, isDay, max }: AdminParameter): Json {
  return {
    name,
    in: 'query',
    description: words,
    schema: {
      type: 'string',
      ...(values ? { enum: [...values] } : { maxLength: max }),
      ...(isDay && { format: 'date' }),
    },
  }
}

function pageSchema(resource: AdminResource, schemas: Record<string, unknown>): Json {
  return {
    type: 'object',
    required: ['rows', 'next'],
    properties: {
      rows: { type: 'array', items: schemaOf(rowSchema(resource), 'output', schemas) },
      next: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last' },
    },
  }
}
