/**
 * One file of the tray. Plain elements: many rows change several times a second.
 */
import { memo } from "react"
import { IconCheck, IconRefresh, IconX } from "../shell/icons.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import { formatBytes } from "../texts/formats.ts"
import { canRetry, isUnderWay, type Upload } from "./Upload.ts"
import classes from "./UploadTray.module.css"
import { uploadFaultText } from "./uploadFaultText.ts"
import { uploadQueue } from "./useUploads.ts"

const percentOf = ({ sentBytes, sizeBytes, state }: Upload): number =>
  state === "checking" ? 100 : sizeBytes === 0 ? 0 : Math.round((sentBytes / sizeBytes) * 100)

export const UploadRow = memo(({ upload }: { readonly upload: Upload }) => {
  const { file, id, sentBytes, sizeBytes, state } = upload
  const fault =
    upload.fault === null
      ? undefined
      : uploadFaultText(upload.fault, { origin: location.origin, isOnline: navigator.onLine })
  const percent = percentOf(upload)
  return (
    <li className={classes.upload} data-state={state}>
      <div className={classes.line}>
        <span className={classes.name} title={file.name}>
          {file.name}
        </span>
        {state === "uploaded" && <IconCheck size={14} aria-hidden className={classes.done} />}
        <span className={classes.state}>{texts.states[state]}</span>
        {canRetry(upload) && (
          <button
            type="button"
            className={classes.button}
            aria-label={texts.retry(file.name)}
            onClick={() => void uploadQueue.retry(id)}
          >
            <IconRefresh size={14} aria-hidden /> {texts.retryShort}
          </button>
        )}
        <button
          type="button"
          className={classes.button}
          aria-label={isUnderWay(upload) ? texts.stop(file.name) : texts.dismiss(file.name)}
          onClick={() => (isUnderWay(upload) ? uploadQueue.stop(id) : uploadQueue.dismiss(id))}
        >
          <IconX size={14} aria-hidden />
        </button>
      </div>
      {(state === "sending" || state === "checking") && (
        <div className={classes.line}>
          <div
            role="progressbar"
            className={classes.bar}
            aria-label={texts.progress(file.name)}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuetext={texts.sent(sentBytes, sizeBytes)}
          >
            <div style={{ width: `${percent}%` }} />
          </div>
          <span className={classes.size}>{texts.sent(sentBytes, sizeBytes)}</span>
        </div>
      )}
      {state === "waiting" && <span className={classes.size}>{formatBytes(sizeBytes)}</span>}
      {fault !== undefined && (
        <div role="alert" className={classes.fault}>
          {fault}
        </div>
      )}
    </li>
  )
})
