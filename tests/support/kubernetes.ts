/** A real Kubernetes API server for tests. It validates and stores objects but doesn't run them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { eventually } from './eventually.ts'
import { freePorts } from './free-ports.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

export type KubernetesObject = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> }
}

export type Answer<Body> = {
  status: number
  /** What the server warns of, such as pods that the namespace would refuse. */
  warnings: string[]
  body: Body
}

export type Kubernetes = AsyncDisposable & {
  /** The variables by which helm and kubectl find it. */
  env: { KUBECONFIG: string; HOME: string; PATH: string }
  /** Such as `v1.34.4`. */
  version: string
  /** Sends a request to a path such as `/api/v1/namespaces`. */
  send<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>>
  /** Where objects of this kind are in a namespace. Refuses kinds that the server does not have. */
  pathOf(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>, namespace: string): Promise<string>
}

/** Starts it from the programs at these paths; settles once it is ready. */
export async function startKubernetes(programs: { apiServer: string; etcd: string }): Promise<Kubernetes> {
  const [etcdPort = 0, peerPort = 0, port = 0] = await freePorts(3)
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const token = 'a-token-for-tests'
  const folder = await createTemporaryFolder({
    'accounts.pem': privateKey,
    'tokens.csv': `${token},test,test,"system:masters"\n`,
    kubeconfig: kubeconfig(port, token),
  })
  const own = (name: string) => `${folder.path}/${name}`
  const etcdAddress = `http://127.0.0.1:${etcdPort}`
  const etcd = start(programs.etcd, [
    `--data-dir=${own('etcd')}`,
    `--listen-client-urls=${etcdAddress}`,
    `--advertise-client-urls=${etcdAddress}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    '--log-level=error',
    '--unsafe-no-fsync',
  ])
  const server = start(programs.apiServer, [
    `--etcd-servers=${etcdAddress}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${own('certificates')}`,
    `--token-auth-file=${own('tokens.csv')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${own('accounts.pem')}`,
    `--service-account-signing-key-file=${own('accounts.pem')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
  ])
  const stop = async () => {
    for (const each of [server, etcd]) await each.end()
    await folder[Symbol.asyncDispose]()
  }

  let certificate = ''
  const send = async <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> => {
    const sent = request(`https://127.0.0.1:${port}${path}`, {
      method,
      ca: certificate,
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json',
      },
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const said = await text(response)
    return {
      status: response.statusCode ?? 0,
      warnings: [response.headers.warning ?? []].flat(),
      body: JSON.parse(said) as Body,
    }
  }
  try {
    await eventually('API server', async () => {
      for (const each of [etcd, server]) each.mustRun()
      certificate = await readFile(own('certificates/apiserver.crt'), 'utf8').catch(() => '')
      return (
        certificate !== '' &&
        send('GET', '/api/v1/namespaces/default').then(
          ({ status }) => status === 200,
          () => false,
        )
      )
    })
  } catch (error) {
    await stop()
    throw error
  }
  const { body: said } = await send<{ gitVersion: string }>('GET', '/version')
  return {
    version: said.gitVersion,
    env: { KUBECONFIG: own('kubeconfig'), HOME: folder.path, PATH: process.env['PATH'] ?? '' },
    send,
    async pathOf({ apiVersion, kind }, namespace) {
      const group = `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`
      const { body } = await send<{ resources?: { name: string; kind: string }[] }>('GET', group)
      const found = body.resources?.find(({ name, kind: is }) => is === kind && !name.includes('/'))
      if (!found) throw new Error(`This Kubernetes has no ${kind} of ${apiVersion}.`)
      return `${group}/namespaces/${namespace}/${found.name}`
    },
    [Symbol.asyncDispose]: stop,
  }
}

const kubeconfig = (port: number, token: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [
      {
        name: 'test',
        cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': 'certificates/apiserver.crt' },
      },
    ],
    users: [{ name: 'test', user: { token } }],
  })

function start(program: string, args: string[]) {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (said = (said + part).slice(-4_000)))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    mustRun() {
      if (hasEnded()) throw new Error(`${program} ended:\n${said}`)
    },
    async end() {
      if (hasEnded()) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
