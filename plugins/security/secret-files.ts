import { readFileSync } from 'node:fs'
import { ConfigError } from '../config-error.ts'

/**
 * Reads each of these settings from the file named by `<setting>_FILE`, without the newline at its end.
 * Errors never contain a file's content.
 */
export function withSecretFiles(
  variables: NodeJS.Dict<string>,
  secretSettings: readonly string[],
): NodeJS.Dict<string> {
  const found: NodeJS.Dict<string> = {}
  for (const setting of secretSettings) {
    const fileSetting = `${setting}_FILE`
    const file = variables[fileSetting]
    if (file === undefined) continue
    if (variables[setting] !== undefined)
      throw new ConfigError(fileSetting, `${setting} is set too; set only one of them`)
    found[setting] = readSecret(fileSetting, file)
  }
  return { ...variables, ...found }
}

function readSecret(fileSetting: string, file: string): string {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new ConfigError(fileSetting, `can't read ${file} (${reason})`)
  }
  const secret = content.replace(/\r?\n$/, '')
  if (secret === '') throw new ConfigError(fileSetting, `${file} is empty`)
  return secret
}
