/** Starts MinIO, a real S3-compatible storage, from the program at `path` with an empty bucket. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { get as getPlain } from 'node:http'
import { get as getOverTls } from 'node:https'
import { setTimeout as later } from 'node:timers/promises'
import { createTemporaryFolder } from './temporary-folder.ts'
import { freePorts } from './free-ports.ts'

/** A folder with `public.crt` and `private.key` for `localhost`, and the CA. */
type Tls = { folder: string; ca: string }

/** Starts it. With `tls` it accepts only TLS. `stop` and `start` preserve its data. */
export async function startMinio(path: string, { tls }: { tls?: Tls } = {}) {
  const folder = await createTemporaryFolder({ 'sidewall/.keep': '' })
  const [port = 0, consolePort] = await freePorts(2)
  const credentials = { accessKeyId: 'sidewall', secretAccessKey: 'a-secret-for-tests' }
  const endpoint = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
  const address = ['--address', `127.0.0.1:${port}`, '--console-address', `127.0.0.1:${consolePort}`]
  let server: ChildProcess
  const start = async () => {
    const started = spawn(path, ['server', folder.path, ...address, ...(tls ? ['--certs-dir', tls.folder] : [])], {
      env: {
        MINIO_ROOT_USER: credentials.accessKeyId,
        MINIO_ROOT_PASSWORD: credentials.secretAccessKey,
        HOME: folder.path,
      },
      stdio: 'ignore',
    })
    server = started
    for (let asked = 0; !(await isReady(endpoint, tls?.ca)); asked += 1) {
      if (asked > 300 || started.exitCode !== null) throw new Error(`${path} does not start.`)
      await later(100)
    }
  }
  const stop = async () => {
    server.kill('SIGTERM')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
  await start()
  return {
    settings: { bucket: 'sidewall', region: 'us-east-1', endpoint, publicEndpoint: null, credentials },
    port,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await folder[Symbol.asyncDispose]()
    },
  }
}

function isReady(endpoint: string, ca: string | undefined): Promise<boolean> {
  const address = `${endpoint}/minio/health/ready`
  return new Promise((answer) => {
    const asked =
      ca === undefined
        ? getPlain(address, (response) => answer(response.resume().statusCode === 200))
        : getOverTls(address, { ca }, (response) => answer(response.resume().statusCode === 200))
    asked.once('error', () => answer(false))
  })
}
