import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'
import jobPhotos from '#app/ui/portal/job-photos.js?url'
import type { JobView } from '#app/views/portal-job.server.ts'
import { UPLOAD_MAX_BYTES } from '#platform/business-constants.ts'
import { JobPanel } from './job-parts.tsx'

/** The job's photos, each in its place. They can be sent and replaced while the car is here. */
export function JobPhotos({ job, reply }: { job: JobView; reply: FormReply | undefined }) {
  const { photos, canAddPhotos } = job
  const taken = photos.filter(({ path }) => path !== null).length
  if (taken === 0 && !canAddPhotos) return null
  return (
    <div id="job-photos" data-part>
      <JobPanel id="photos" title="Photos" note={`${taken} of ${photos.length}`}>
        <ul className="job-photos">
          {photos.map((photo) => (
            <li key={photo.kind}>
              {photo.path === null ? null : (
                <a href={photo.path}>
                  <img src={photo.path} alt={`${photo.title}, ${photo.at}`} loading="lazy" width={160} height={120} />
                  <span aria-hidden="true">{photo.title}</span>
                </a>
              )}
              {canAddPhotos ? <PhotoForm photo={photo} error={reply?.errors[photo.field]} /> : null}
            </li>
          ))}
        </ul>
      </JobPanel>
      {canAddPhotos ? <script type="module" src={jobPhotos} /> : null}
    </div>
  )
}

/** Sends a photo apart from the other entries, which stay as typed, or later while offline. */
function PhotoForm({
  photo: { kind, title, field, path },
  error,
}: {
  photo: JobView['photos'][number]
  error: string | undefined
}) {
  return (
    <form
      method="post"
      encType="multipart/form-data"
      className={path === null ? 'job-add-photo' : 'job-add-photo is-again'}
      data-draft="part"
      data-photo={UPLOAD_MAX_BYTES}
      noValidate
    >
      <input type="hidden" name="kind" value={kind} />
      <label htmlFor={field}>
        <Icon name="camera" />
        <span>
          {path === null ? title : 'Retake'}
          {path === null ? null : <span className="visually-hidden"> {title}</span>}
        </span>
      </label>
      <input
        id={field}
        name="photo"
        type="file"
        accept="image/*"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${field}-error` : undefined}
      />
      {error ? (
        <p className="field-error" id={`${field}-error`} role="alert">
          {error}
        </p>
      ) : null}
      <button className="btn wide" name="intent" value="photo">
        Send
      </button>
    </form>
  )
}
