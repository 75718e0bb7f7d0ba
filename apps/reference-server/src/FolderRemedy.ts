/** What to do about a folder below `DATA_DIR` that cannot be used, given the text of the error. */

const remedies: ReadonlyArray<readonly [error: RegExp, remedy: string]> = [
  [/ENOSPC|EDQUOT|no space left/i, "Free space on this disk, or set DATA_DIR to a folder on another one."],
  [/EROFS|read-only/i, "Mount its file system for writing, or set DATA_DIR to a folder on another one."],
  [/EACCES|EPERM|permission denied/i, "Let the user of this process write there, or set DATA_DIR to another folder."]
]

const otherwise = "Set DATA_DIR to a folder in which this process can create files."

export const folderRemedy = (reason: string): string => remedies.find(([error]) => error.test(reason))?.[1] ?? otherwise
