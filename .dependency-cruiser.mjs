/**
 * Import rules. Each rule's comment says what to do instead. The rules match folders by position, never by name, so
 * that a new capability, adapter or group of routes is covered from the start.
 */
import { Visitor } from '@swc/core/Visitor.js'
import { contexts } from './tools/contexts.ts'

// The swc AST visitor used by dependency-cruiser does not support `using` yet and fails on it.
const { visitStatement } = Visitor.prototype
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement)
  this.visitVariableDeclarators(statement.decls)
  return statement
}

const source = String.raw`\.tsx?$`
const test = String.raw`\.(test|testing|example|arbitrary)\.tsx?$|/fixtures/|^tests/`
const typesOnly = { dependencyTypesNot: ['type-only'] }

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Two files that import each other are one file, or what both need belongs in a third.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: typesOnly },
    },
    {
      name: 'resolvable',
      comment: 'The file or package doesn’t exist. Fix the path, or add the package to package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: String.raw`\+types/|^virtual:` },
    },
    {
      name: 'declared-packages',
      comment: 'This package is only installed as a dependency of another one. Add it to package.json.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-development-packages-in-the-product',
      comment: 'The package is in devDependencies and is not there in production: move it to dependencies.',
      severity: 'error',
      from: {
        path: '^(app/|api/|cxml/|mcp/|ucp/|domain/|pictures/|adapters/|platform/|sandbox/|(application|server|worker)\\.ts)',
        pathNot: [test, '^app/(office-)?routes\\.ts$'],
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'doors-of-a-capability-for-the-app',
      comment:
        'A capability, and pictures/ too, is entered by its two doors, x.ts and x.server.ts. Export what you need there.',
      severity: 'error',
      from: { path: '^(app|api|cxml|mcp|ucp|content|http|widget)/', pathNot: test },
      to: {
        path: '^(domain/[^/]+/[^/]+|pictures)/',
        pathNot: [String.raw`^domain/[^/]+/([^/]+)/\1(\.server)?\.ts$`, String.raw`^([^/]+)/\3(\.server)?\.ts$`],
      },
    },
    {
      name: 'doors-of-a-capability-for-others',
      comment:
        'Another capability is entered by its two doors, y.ts and y.server.ts, or known by its ports. Export what you need there.',
      severity: 'error',
      from: { path: '^domain/([^/]+/[^/]+)/', pathNot: test },
      to: {
        path: '^domain/[^/]+/[^/]+/',
        pathNot: ['^domain/$1/', String.raw`^domain/[^/]+/([^/]+)/\1(\.server)?\.ts$`, String.raw`\.port\.ts$`],
      },
    },
    ...contexts.flatMap(downwardRules),
    {
      name: 'domain-knows-nothing-outside',
      comment:
        'Domain code may import platform/ and the types of db/. Name what you need from outside as a port type (y.port.ts) and pass it in from application.ts.',
      severity: 'error',
      from: { path: '^domain/', pathNot: test },
      to: {
        path: String.raw`^(app|api|cxml|mcp|ucp|widget|adapters|sandbox|tools|tests|bench|application\.ts|server\.ts|worker\.ts|db/(?!types\.ts$))`,
      },
    },
    {
      name: 'platform-is-the-ground',
      comment:
        'platform/ is what everything stands on and imports nothing of ours but the types of db/. Move the code up to who needs it.',
      severity: 'error',
      from: { path: '^platform/', pathNot: test },
      to: {
        path: String.raw`^(app|api|cxml|mcp|ucp|widget|domain|adapters|sandbox|tools|tests|bench|application\.ts|server\.ts|worker\.ts|db/(?!types\.ts$))`,
      },
    },
    {
      name: 'browser-safe-doors',
      comment:
        'Only files named .server.ts may use the database, Node or other .server files: all other files also run in the browser. Move the code, or import only the type.',
      severity: 'error',
      from: { path: '^(domain|pictures)/', pathNot: [test, String.raw`\.server\.ts$`] },
      to: {
        path: String.raw`\.server\.ts$|^platform/(config|db|jobs|log|migrate|signing)\.ts$|node_modules/(pg|kysely|sharp)/`,
        ...typesOnly,
      },
    },
    {
      name: 'no-node-in-the-browser',
      comment: 'The browser has no Node modules. Put the code in a .server.ts file.',
      severity: 'error',
      from: { path: '^(domain|pictures|app/ui)/', pathNot: [test, String.raw`\.server\.tsx?$`] },
      to: { dependencyTypes: ['core'], ...typesOnly },
    },
    {
      name: 'pictures-only-draw',
      comment:
        'pictures/ draws what it is given: it knows platform/ and the browser-safe doors of the business. Read and decide where the picture is shown, and hand in the result.',
      severity: 'error',
      from: { path: '^pictures/', pathNot: test },
      to: {
        path: String.raw`^(app|api|cxml|mcp|ucp|content|http|widget|adapters|sandbox|db|tools|tests|bench)/|^(application|server|worker)\.ts$|^domain/[^/]+/(?!([^/]+)/\3\.ts$)`,
      },
    },
    {
      name: 'pictures-for-who-shows',
      comment:
        'Pictures only display tires. Pages, the API, and tools render them, and application.ts stores them. Pass the item and let them render it.',
      severity: 'error',
      from: { path: source, pathNot: [test, String.raw`^(pictures|app|api|http|tools)/|^application\.ts$`] },
      to: { path: '^pictures/' },
    },
    {
      name: 'adapters-implement-ports',
      comment:
        'An adapter may import the port it implements (domain/x/y.port.ts), platform/ and its SDK. Types of the business may be imported as types.',
      severity: 'error',
      from: { path: '^adapters/', pathNot: test },
      to: {
        path: '^(app|api|cxml|mcp|ucp|domain|db|sandbox|tools|tests|application|server|worker)',
        // "worker" is our program, "worker_threads" is Node's.
        pathNot: [String.raw`^domain/[^/]+/[^/]+/[^/]+\.port\.ts$`, '^worker_threads$'],
        ...typesOnly,
      },
    },
    {
      name: 'adapters-apart',
      comment:
        'Adapters must not import each other. Shared code belongs in platform/, and composition belongs in application.ts.',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/' },
      to: { path: '^adapters/([^/]+)/', pathNot: '^adapters/$1/' },
    },
    {
      name: 'app-gets-its-parts-from-the-application',
      comment: 'Adapters, SQL and the sandbox are behind the use cases; of application.ts only the type is known here.',
      severity: 'error',
      from: { path: '^(app|api|cxml|mcp|ucp|content|http|widget)/', pathNot: test },
      to: {
        path: String.raw`^(adapters|sandbox|tools|tests|bench|db)/|^(application|server|worker)\.ts$`,
        ...typesOnly,
      },
    },
    {
      name: 'client-stands-alone',
      comment: 'The published client must be self-contained. It may import only its own folder.',
      severity: 'error',
      from: { path: '^api/client/', pathNot: test },
      to: { pathNot: '^api/client/' },
    },
    {
      name: 'pages-call-the-client',
      comment: 'The API runs on the server. Script of a page reaches it through api/client, over HTTP.',
      severity: 'error',
      from: { path: '^app/(ui|routes)/', pathNot: [test, String.raw`\.server\.tsx?$`] },
      to: { path: '^api/(?!client/client\\.ts$)' },
    },
    {
      name: 'routes-apart',
      comment:
        'What two groups of routes need belongs in app/ui, app/views, app/forms or the capability. Link to the other route by its path.',
      severity: 'error',
      from: { path: '^app/routes/([^/]+)/' },
      to: { path: '^app/routes/', pathNot: '^app/routes/$1/' },
    },
    {
      name: 'routes-are-leaves',
      comment: 'The rest of app/ must not import the routes it serves. Pass in what it needs.',
      severity: 'error',
      from: { path: '^app/(ui|server|views|forms|content|seo)/' },
      to: { path: '^app/routes/', ...typesOnly },
    },
    {
      name: 'ui-shows',
      comment:
        'app/ui shows what it is given: types of the business may be imported as types; reading and deciding happen in the route.',
      severity: 'error',
      from: { path: '^app/ui/', pathNot: test },
      to: { path: String.raw`^(domain|pictures)/.*\.server\.ts$|^app/(server|views|forms)/|^http/`, ...typesOnly },
    },
    {
      name: 'programs-and-pages-apart',
      comment:
        'The API must not import pages. Shared code belongs in http/ (requests), content/messages/ (copy), or the domain.',
      severity: 'error',
      from: { path: '^(api|cxml|mcp|ucp|http)/', pathNot: test },
      to: { path: '^app/' },
    },
    {
      name: 'tools-stand-on-operations',
      comment:
        'Tools of agents are made of the operations of the API, which do not know them: what both need belongs in api/ or the capability.',
      severity: 'error',
      from: { path: '^api/', pathNot: test },
      to: { path: '^mcp/' },
    },
    {
      name: 'http-serves-both',
      comment: 'http/ serves pages and API and does not know the API: hand in what it needs.',
      severity: 'error',
      from: { path: '^http/', pathNot: test },
      to: { path: '^(api|cxml|mcp|ucp)/' },
    },
    {
      name: 'doors-apart',
      comment: 'The agent API and our own API have separate responses. Shared code belongs in http/ or the domain.',
      severity: 'error',
      from: { path: '^(api|ucp)/', pathNot: test },
      to: { path: '^(api|ucp)/', pathNot: '^$1/' },
    },
    {
      name: 'agents-over-http',
      comment: 'Pages know nothing of the door for agents; app/server mounts it.',
      severity: 'error',
      from: { path: '^app/(ui|routes|views|forms|content|seo)/', pathNot: test },
      to: { path: '^ucp/' },
    },
    {
      name: 'words-stand-alone',
      comment:
        'content/ is words and addresses for pages, API and mails: it knows the browser-safe doors of the business and nothing that runs.',
      severity: 'error',
      from: { path: '^content/', pathNot: test },
      to: { path: String.raw`^(app|api|cxml|mcp|ucp|http)/|^domain/.*\.server\.ts$`, ...typesOnly },
    },
    {
      name: 'sandbox-plays-the-outside',
      comment:
        'The sandbox simulates other companies. It calls the store only over HTTP and may import only platform/.',
      severity: 'error',
      from: { path: '^sandbox/', pathNot: test },
      to: {
        path: String.raw`^(app|api|cxml|mcp|ucp|content|http/|widget|domain|adapters|db|tools|tests|bench|application\.ts|server\.ts|worker\.ts)`,
      },
    },
    {
      name: 'tests-are-not-part-of-the-product',
      comment: 'Product code must not import tests or test support. Move shared code into the product.',
      severity: 'error',
      from: { path: source, pathNot: [test, '^tools/', '^bench/', '^sandbox/test-sandbox', '^vitest.config'] },
      to: { path: test },
    },
    {
      name: 'tools-are-not-part-of-the-product',
      comment:
        'tools/ builds, checks and starts the product, which runs without it: move what both need into platform/.',
      severity: 'error',
      from: {
        path: '^(app|api|cxml|mcp|ucp|content|http|widget|domain|pictures|adapters|platform|sandbox|application|server|worker|db)',
        pathNot: test,
      },
      to: { path: '^tools/' },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API that the tool could use for parsing.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`^(build|\.react-router|\.data)/` },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    detectProcessBuiltinModuleCalls: true,
  },
}

/**
 * A context imports only itself and those below it.
 *
 * @param {string} context
 * @param {number} index
 * @returns {import('dependency-cruiser').IForbiddenRuleType[]}
 */
function downwardRules(context, index) {
  const above = contexts.slice(0, index)
  if (above.length === 0) return []
  return [
    {
      name: 'contexts-downward',
      comment: 'A context imports only those below it (tools/contexts.ts). Move the code up, or what both need down.',
      severity: 'error',
      from: { path: `^domain/${context}/`, pathNot: test },
      to: { path: `^domain/(?:${above.join('|')})/` },
    },
  ]
}
