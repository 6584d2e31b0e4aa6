/**
 * `npm run test:long` runs the races, crashes, and hostile requests of tests/faults with many more seeds than CI, the
 * import of a million rows, a crawl of every page, and mutation tests. SEEDS sets the number of seeds, TOTAL_CRASHES
 * the number of times the whole store is killed, and MUTANTS the number of faults per area. Tests with third-party
 * programs run if available: PgBouncer, and stripe-mock, MinIO, promtool, and Helm with Kubernetes' API server, which
 * are built with Go. Drills (docs/scale.md) run unless DRILLS is empty. SOAK_MINUTES sets the length of the soak test.
 * BAY_RUNS sets the number of raced shop days, SIMULATED the number of simulated shops and days ("50x30"), MONTH_ORDERS
 * the number of orders in the month over HTTP, and RECONCILED the number of reconciled orders. PAYMENT_ROUTES is `all`
 * for every payment method, EVERY_PAGE is `all` to open each page with and without JavaScript, CRASH_STEPS is `all` to
 * end a process after each of its steps, and OVERTAKE_STEPS is 1 to overtake an order after each.
 */
import { spawnSync } from 'node:child_process'
import { argv, env } from 'node:process'
import { findFaketime } from './faketime-library.ts'
import { buildKubernetes, buildWithGo, findProgram, installWithGo } from './go-programs.ts'

env.SEEDS ??= '20'
env.BAY_RUNS ??= '1000'
env.SIMULATED ??= '50x30'
env.RECONCILED ??= '1000'
if (await findFaketime()) env.MONTH_ORDERS ??= '1000'
else console.log('Without a month over HTTP: libfaketime is not installed here.')
env.TOTAL_CRASHES ??= '50'
env.STEPS_BETWEEN_COMPARISONS ??= '1'
env.OUTAGE_SECONDS ??= '20'
env.WHOLE_CRAWL ??= '1'
env.CALLS ??= '20000'
env.LAW_RUNS ??= '10000'
env.PAYMENT_ROUTES ??= 'all'
env.EVERY_PAGE ??= 'all'
env.CRASH_STEPS ??= 'all'
env.OVERTAKE_STEPS ??= '1'
env.NPM_CLONES ??= '1'
env.DRILLS ??= '1'
env.SOAK_MINUTES ??= '10'
env.CONTAINER_ENGINE ??=
  ['docker', 'podman'].find((name) => spawnSync(name, ['ps'], { stdio: 'ignore' }).status === 0) ?? ''
if (!env.CONTAINER_ENGINE) console.log('Without the image: neither Docker nor Podman answers here.')
env.PGBOUNCER ??= findProgram('pgbouncer')
if (!env.PGBOUNCER) console.log('Without PgBouncer. Install it or set PGBOUNCER to also test behind it.')
env.MINIO ??= findProgram('minio') || installWithGo('github.com/minio/minio')
if (!env.MINIO) console.log('Without MinIO: Go, which builds it, is not installed here or cannot fetch it.')
env.STRIPE_MOCK ??= findProgram('stripe-mock') || installWithGo('github.com/stripe/stripe-mock')
if (!env.STRIPE_MOCK) console.log('Without stripe-mock: Go, which builds it, is not installed here or cannot fetch it.')
else if (!env.STRIPE_OPENAPI)
  console.log("With stripe-mock's own description: STRIPE_OPENAPI names that of the library's version.")
env.PROMTOOL ??=
  findProgram('promtool') ||
  buildWithGo({
    module: 'github.com/prometheus/prometheus',
    version: 'v0.305.0',
    from: 'github.com/prometheus/prometheus/cmd/promtool',
  })
if (!env.PROMTOOL) console.log('Without promtool: Go, which builds it, is not installed here or cannot fetch it.')
env.HELM ??= findProgram('helm') || installWithGo('helm.sh/helm/v3/cmd/helm', 'v3.19.5')
if (!env.KUBE_APISERVER || !env.ETCD) {
  const { apiServer, etcd } = buildKubernetes()
  env.KUBE_APISERVER ||= apiServer
  env.ETCD ||= etcd
}
if (!env.HELM || !env.KUBE_APISERVER || !env.ETCD)
  console.log(
    'Without the chart: Go, which builds Helm, the API server of Kubernetes and etcd, is not here or cannot fetch them.',
  )
if (!env.PAYPAL_OPENAPI)
  console.log("Without PayPal's description: what it needs is said in adapters/payments/paypal-openapi.test.ts.")
if (!env.CXML_DTDS) console.log("Without cXML's DTDs: CXML_DTDS names their folder (docs/cxml.md).")
if (!env.RESOLVE_OPENAPI)
  console.log("Without Resolve's description: what it needs is said in adapters/payments/resolve-openapi.test.ts.")
if (!env.UCP_SCHEMAS)
  console.log("Without the agents' protocol: what it needs is said in ucp/specification.db.test.ts.")
argv.push(
  'tests/faults',
  'tests/simulation',
  'laws.test',
  'tire-size.test',
  'account-prices.test',
  'payment-routes.db.test',
  'tools/import',
  'catalog-import',
  'tests/http/crawl',
  'tests/e2e/every-page',
  'stripe-mock',
  'adapters/files',
  'move-files',
  'tools/npm-clones',
  'promtool',
  'tools/chart',
  'paypal-openapi',
  'resolve-openapi',
  'ucp/specification',
)
await import('./test.ts')

argv.splice(2, argv.length, `--sample=${env.MUTANTS ?? '120'}`)
await import('./mutation.ts')
