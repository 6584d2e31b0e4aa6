/**
 * deploy/helm by Helm and Kubernetes' own API server, where they are: HELM, KUBE_APISERVER and ETCD name the programs,
 * and `npm run test:long` builds them where Go is.
 */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { startKubernetes, type Kubernetes, type KubernetesObject } from '#tests/support/kubernetes.ts'
import { project } from './package-program.ts'

type Selector = Record<string, string | Record<string, string>>
type Rendered = KubernetesObject & {
  spec?: {
    template?: { metadata: { labels: Record<string, string> }; spec: Record<string, unknown> }
    selector?: Selector
    podSelector?: Selector
    scaleTargetRef?: { apiVersion: string; kind: string; name: string }
  }
}

const chart = 'deploy/helm/sidewall'
/** The command in deploy/README.md, without the part that blocks until pods are ready. */
const documented = (await readFile(join(project, 'deploy/README.md'), 'utf8')).match(
  /^helm upgrade --install store [\s\S]*?\n```/m,
)?.[0]
const required = [
  ['existingSecret', 'sidewall'],
  ['settings.PUBLIC_ORIGIN', 'https://store.example'],
  ['settings.FILES_S3_BUCKET', 'files'],
] as const

/** Where pods may only be as restricted as Kubernetes defines it. */
const namespace = 'store'
let kubernetes: Kubernetes

beforeAll(async () => {
  kubernetes = await startKubernetes({ apiServer: env.KUBE_APISERVER ?? '', etcd: env.ETCD ?? '' })
  const labels = Object.fromEntries(
    ['enforce', 'warn'].map((what) => [`pod-security.kubernetes.io/${what}`, 'restricted']),
  )
  await mustTake('POST', '/api/v1/namespaces', { metadata: { name: namespace, labels } })
  // What makes it in every namespace is not running here.
  await mustTake('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } })
}, 240_000)

afterAll(() => kubernetes[Symbol.asyncDispose]())

async function mustTake(method: string, path: string, body: unknown): Promise<void> {
  const answer = await kubernetes.send(method, path, body)
  expect(answer, `${method} ${path}`).toMatchObject({ status: expect.toBeOneOf([200, 201]) as number, warnings: [] })
}

function helm(...args: string[]): { ok: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(env.HELM ?? '', args, {
    cwd: project,
    env: kubernetes.env,
    encoding: 'utf8',
  })
  return { ok: status === 0, output: status === 0 ? stdout : stdout + stderr }
}

/** The objects that the chart makes of these values and of those that it requires. */
function render(values: Record<string, unknown>, from = chart): Rendered[] {
  const set = [...required, ...Object.entries(values)].map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const kube = ['--kube-version', kubernetes.version]
  const { ok, output } = helm('template', 'store', from, ...kube, ...set.flatMap((one) => ['--set-json', one]))
  if (!ok) throw new Error(output)
  return parseAllDocuments(output).map((document) => document.toJS() as Rendered)
}

describe('each object is one that Kubernetes takes, to the last field, and without a warning', () => {
  const everything = {
    'image.digest': `sha256:${'0'.repeat(64)}`,
    imagePullSecrets: [{ name: 'registry' }],
    'web.drainSeconds': 0,
    'web.podAnnotations': { 'example.com/changed': '1' },
    'worker.podAnnotations': { 'example.com/changed': '1' },
    'disruptionBudget.maxUnavailable': '25%',
    'serviceAccount.annotations': { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::000000000000:role/store' },
    'ingress.className': 'nginx',
    'ingress.annotations': { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
    'ingress.hosts': ['store.example', '*.store.example'],
    'ingress.tlsSecret': 'store-tls',
    'networkPolicy.ingressFrom': [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
    'networkPolicy.metricsFrom': [{ podSelector: { matchLabels: { app: 'prometheus' } } }],
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'store', operator: 'Exists', effect: 'NoSchedule' }],
  }
  test.for<[string, Record<string, unknown>, number]>([
    ['what is required', {}, 10],
    ['everything', everything, 10],
    [
      'as little as can be',
      {
        'autoscaling.enabled': false,
        'disruptionBudget.enabled': false,
        'migrations.enabled': false,
        'serviceAccount.create': false,
        'ingress.enabled': false,
        'networkPolicy.enabled': false,
      },
      3,
    ],
  ])('%s', async ([, values, count]) => {
    const objects = render(values)
    expect(objects).toHaveLength(count)
    await mustTakeAll(objects)
  })

  test('a version of a chart that is packed again, which no label could be', async () => {
    const { output } = helm('package', chart, '--version', '0.1.0+again.1', '--destination', kubernetes.env.HOME)
    await mustTakeAll(render({}, output.trim().split(': ').at(-1)))
  })

  async function mustTakeAll(objects: readonly Rendered[]) {
    const query = 'dryRun=All&fieldValidation=Strict&fieldManager=test'
    for (const object of objects)
      await mustTake('PATCH', `${await kubernetes.pathOf(object, namespace)}/${object.metadata.name}?${query}`, {
        ...object,
        metadata: { ...object.metadata, namespace },
      })
  }
})

test('all pod templates allow the same nodes', () => {
  const nodeSelector = { 'example.com/pool': 'store' }
  const tolerations = [{ key: 'store', operator: 'Exists' }]
  const objects = render({ nodeSelector, tolerations }).filter(({ spec }) => spec?.template)
  expect(objects.map(({ kind }) => kind).toSorted()).toEqual(['Deployment', 'Deployment', 'Job'])
  for (const { spec } of objects) expect(spec?.template?.spec).toMatchObject({ nodeSelector, tolerations })
})

test('migrations run before install and upgrade, without the previous release', () => {
  const hooks = render({}).filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'])
  expect(hooks.map(({ kind, metadata }) => [kind, metadata.annotations])).toEqual([
    [
      'Job',
      {
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-weight': '0',
        'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      },
    ],
  ])
})

test('the documented command installs the store with allowed pods and correct selectors', async () => {
  expect(documented).toBeDefined()
  const command = documented
    ?.replace('\n```', '')
    .replace('helm', '"$HELM"')
    .replace('--wait', `--no-hooks -n ${namespace}`)
  const run = spawnSync('sh', ['-c', command ?? ''], {
    cwd: project,
    env: { ...kubernetes.env, HELM: env.HELM },
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0, stderr: '' })
  const release = ['manifest', 'hooks'].map((what) => helm('get', what, 'store', '-n', namespace).output).join('')
  const objects = parseAllDocuments(release).flatMap((document) => (document.toJS() as Rendered | null) ?? [])

  const pods = `/api/v1/namespaces/${namespace}/pods`
  for (const { spec } of objects) {
    if (!spec?.template) continue
    const { labels } = spec.template.metadata
    await mustTake('POST', pods, {
      metadata: { name: labels['app.kubernetes.io/component'], labels },
      spec: spec.template.spec,
    })
  }
  // Another pod of the namespace is as little theirs as it is allowed.
  const other = { metadata: { name: 'other' }, spec: { containers: [{ name: 'other', image: 'other' }] } }
  expect(await kubernetes.send('POST', pods, other)).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('violates PodSecurity') as string },
  })

  const selected = await Promise.all(
    objects.map(async (object) => {
      const selector = await selectorOf(object)
      if (selector === undefined) return []
      const { body } = await kubernetes.send<{ items: KubernetesObject[] }>(
        'GET',
        `${pods}?labelSelector=${encodeURIComponent(selector)}`,
      )
      return [
        [object.kind, object.metadata.name, ...body.items.map(({ metadata }) => metadata.name).toSorted()].join(' '),
      ]
    }),
  )
  expect(selected.flat().toSorted()).toEqual([
    'Deployment store-sidewall-web web',
    'Deployment store-sidewall-worker worker',
    'HorizontalPodAutoscaler store-sidewall-web web',
    'NetworkPolicy store-sidewall migrate web worker',
    'PodDisruptionBudget store-sidewall-web web',
    'PodDisruptionBudget store-sidewall-worker worker',
    'Service store-sidewall web',
  ])
  // An upgrade changes objects, which the server may refuse where it took them when new.
  const again = ['upgrade', 'store', chart, '-n', namespace, '--no-hooks', '--reuse-values']
  expect(helm(...again, '--set', 'image.tag=next')).toMatchObject({ ok: true })
})

/** Returns an object's pod selector as the server reads it. Returns undefined if it doesn't select pods. */
async function selectorOf({ spec }: Rendered): Promise<string | undefined> {
  const target = spec?.scaleTargetRef
  if (target) {
    const scaled = `${await kubernetes.pathOf(target, namespace)}/${target.name}/scale`
    return (await kubernetes.send<{ status: { selector: string } }>('GET', scaled)).body.status.selector
  }
  const given = spec?.podSelector ?? spec?.selector
  if (given === undefined) return undefined
  const labels = (typeof given['matchLabels'] === 'object' ? given['matchLabels'] : given) as Record<string, string>
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join()
}

test.for<[string, unknown]>([
  ['web.drainSeconds', 45],
  ['autoscaling.minReplicas', 11],
  ['disruptionBudget.maxUnavailable', 'one'],
  ['web.podAnnotations', { changed: 1 }],
  ['web.filesSize', '2 GB'],
  ['settings.DATABASE_POOL', 12],
  ['settings.PORT', '5000'],
  ['existingSecret', 'My Secret'],
  ['anything', 'else'],
])('%s is refused where it is %j, before anything is changed', ([name, value]) => {
  expect(() => render({ [name]: value })).toThrow(name.split('.').at(-1) ?? name)
})
