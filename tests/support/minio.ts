/** A real S3-compatible storage for tests: MinIO, from the program at `path`, with an empty bucket. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as later } from 'node:timers/promises'
import { createTemporaryFolder } from './temporary-folder.ts'
import { freePorts } from './free-ports.ts'

export async function startMinio(path: string) {
  const folder = await createTemporaryFolder({ 'sidewall/.keep': '' })
  const [port, consolePort] = await freePorts(2)
  const credentials = { accessKeyId: 'sidewall', secretAccessKey: 'a-secret-for-tests' }
  const endpoint = `http://127.0.0.1:${port}`
  const server = spawn(
    path,
    ['server', folder.path, '--address', `127.0.0.1:${port}`, '--console-address', `127.0.0.1:${consolePort}`],
    {
      env: {
        MINIO_ROOT_USER: credentials.accessKeyId,
        MINIO_ROOT_PASSWORD: credentials.secretAccessKey,
        HOME: folder.path,
      },
      stdio: 'ignore',
    },
  )
  for (let asked = 0; ; asked += 1) {
    const health = await fetch(`${endpoint}/minio/health/ready`).catch(() => undefined)
    if (health?.ok) break
    if (asked > 300 || server.exitCode !== null) throw new Error(`${path} does not start.`)
    await later(100)
  }
  return {
    settings: { bucket: 'sidewall', region: 'us-east-1', endpoint, publicEndpoint: null, credentials },
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
      await folder[Symbol.asyncDispose]()
    },
  }
}
