/**
 * Replaces the list of operations with Swagger UI, which also sends calls. It is sent to the browser unbuilt, so it is
 * plain JavaScript.
 */
/**
 * @typedef {(options: object) => void} SwaggerUIBundle
 * @typedef {{ type: string, openIdConnectUrl?: string }} SecurityScheme
 * @typedef {{ $ref?: string }} Parameter
 * @typedef {{
 *   paths: Record<string, { parameters?: Parameter[] | undefined }>
 *   components: { parameters: Record<string, Parameter>, securitySchemes: Record<string, SecurityScheme> }
 * }} OpenApiDocument
 */
/** @type {HTMLElement | null} */
const holder = document.querySelector('#api-in-full')
/** @type {HTMLElement | null} */
const callList = document.querySelector('#api-list')
const { script = '', style = '', openapi = '' } = holder?.dataset ?? {}

// A problem's type URL links to its error code, which Swagger UI would look for among its operations.
const linkedProblem = document.getElementById(location.hash.slice(1))?.closest('.api-problems > div')
linkedProblem?.closest('details')?.setAttribute('open', '')

/** @param {HTMLElement} element */
const isLoaded = (element) =>
  new Promise((resolve, reject) => {
    element.addEventListener('load', resolve)
    element.addEventListener('error', reject)
    // Before the store's own styles, which change some of its colors.
    document.head.prepend(element)
  })

/**
 * Changes what Swagger UI can't show. It would read the sign-in provider's configuration, which the page's policy
 * forbids, so a token can be entered instead. It doesn't resolve references to parameters that a path's operations
 * share.
 * @param {{ url: string, text: string }} answer
 */
function adaptDocument(answer) {
  if (new URL(answer.url, location.href).pathname !== openapi) return answer
  const document = /** @type {OpenApiDocument} */ (JSON.parse(answer.text))
  const { parameters, securitySchemes } = document.components
  for (const scheme of Object.values(securitySchemes)) {
    if (scheme.type !== 'openIdConnect') continue
    delete scheme.openIdConnectUrl
    Object.assign(scheme, { type: 'http', scheme: 'bearer' })
  }
  for (const path of Object.values(document.paths))
    path.parameters = path.parameters?.map(({ $ref = '' }) => parameters[$ref.split('/').at(-1) ?? ''] ?? {})
  return { ...answer, text: JSON.stringify(document) }
}

async function showReference() {
  await Promise.all([
    isLoaded(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: style })),
    isLoaded(Object.assign(document.createElement('script'), { src: script })),
  ])
  const host = /** @type {Window & { SwaggerUIBundle?: SwaggerUIBundle }} */ (window)
  host.SwaggerUIBundle?.({
    domNode: holder,
    url: openapi,
    responseInterceptor: adaptDocument,
    deepLinking: linkedProblem === undefined,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayOperationId: false,
    filter: true,
    // Its makers' server would check the document and show a badge.
    validatorUrl: null,
    persistAuthorization: false,
    onComplete() {
      if (callList) callList.hidden = true
      // Swagger UI adds a second main landmark, and doesn't name its list of servers.
      const operations = holder?.querySelector('main')
      operations?.setAttribute('role', 'region')
      operations?.setAttribute('aria-label', 'Operations')
      holder?.querySelector('#servers')?.setAttribute('aria-label', 'Server')
      linkedProblem?.scrollIntoView()
    },
  })
}

void showReference()
