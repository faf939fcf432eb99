/**
 * Shares compilers between encapsulated plugins with the same shared schemas. Fastify creates compilers for each of
 * hundreds of plugins otherwise.
 */
export function shareCompilers<Schemas extends object, Rest extends unknown[], Compiler>(
  build: (schemas: Schemas, ...rest: Rest) => Compiler,
): (schemas: Schemas, ...rest: Rest) => Compiler {
  const built: { schemas: Map<string, unknown>; compiler: Compiler }[] = []
  return (schemas, ...rest) => {
    const entries = Object.entries(schemas)
    const known = built.find(
      (one) =>
        one.schemas.size === entries.length &&
        entries.every(([id, schema]) => one.schemas.get(id) === schema),
    )
    if (known) return known.compiler
    const compiler = build(schemas, ...rest)
    built.push({ schemas: new Map(entries), compiler })
    return compiler
  }
}
