/** The settings of where files that people send are kept. */
import { z } from 'zod'

export const fileVariables = z.object({
  FILES_KIND: z
    .enum(['folder', 's3'], { error: 'must be folder or s3' })
    .default('folder')
    .describe('Upload storage. A shared `folder`, or an `s3`-compatible bucket ([files](runbooks/files.md)).'),
  FILES_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('That folder; by default `files` in `DATA_DIR`. Back it up with the database.'),
  FILES_S3_BUCKET: z.string().min(1).max(63).optional().describe('The bucket. It stays private.'),
  FILES_S3_REGION: z.string().min(1).max(40).default('us-east-1').describe('Its region.'),
  FILES_S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The address of a storage that is not Amazon’s, such as `http://minio:9000`.'),
  FILES_S3_PUBLIC_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'The storage’s public address, such as `https://files.example.com`. If set, files are served from there by URLs signed for a minute.',
    ),
  FILES_S3_ACCESS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A key that may read, write and delete objects; with its secret, or neither if the server has its own identity.',
    ),
  FILES_S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Its secret.'),
})

export type FileConfig = ReturnType<typeof shapeFiles>

/** The names that are missing where some of the bucket's are given. */
export function missingFileVariables(env: z.infer<typeof fileVariables>): string[] {
  const isNamed =
    env.FILES_KIND === 's3' ||
    env.FILES_S3_ACCESS_KEY_ID !== undefined ||
    env.FILES_S3_ENDPOINT !== undefined ||
    env.FILES_S3_PUBLIC_ENDPOINT !== undefined
  return [
    ...(isNamed && env.FILES_S3_BUCKET === undefined ? ['FILES_S3_BUCKET'] : []),
    ...(env.FILES_S3_SECRET_ACCESS_KEY !== undefined && env.FILES_S3_ACCESS_KEY_ID === undefined
      ? ['FILES_S3_ACCESS_KEY_ID']
      : []),
    ...(env.FILES_S3_ACCESS_KEY_ID !== undefined && env.FILES_S3_SECRET_ACCESS_KEY === undefined
      ? ['FILES_S3_SECRET_ACCESS_KEY']
      : []),
  ]
}

export function shapeFiles(env: z.infer<typeof fileVariables>, dataDir: string) {
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  return {
    kind: env.FILES_KIND,
    folder: env.FILES_FOLDER ?? `${dataDir}/files`,
    s3:
      env.FILES_S3_BUCKET === undefined
        ? null
        : {
            bucket: env.FILES_S3_BUCKET,
            region: env.FILES_S3_REGION,
            endpoint: env.FILES_S3_ENDPOINT ?? null,
            publicEndpoint: env.FILES_S3_PUBLIC_ENDPOINT ?? null,
            credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
          },
  }
}
