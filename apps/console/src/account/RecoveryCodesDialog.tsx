/**
 * Shows recovery codes, once.
 */
import { RevealDialog } from "../shell/RevealDialog.tsx"
import { factorTexts } from "../texts/en/account.ts"

const { list, ...texts } = factorTexts.recovery

interface Props {
  readonly codes: ReadonlyArray<string>
  readonly onClose: () => void
}

export const RecoveryCodesDialog = ({ codes, onClose }: Props) => (
  <RevealDialog {...texts} label={list} secret={codes.join("\n")} onClose={onClose} />
)
