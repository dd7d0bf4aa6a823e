/** Keys that are data, such as addresses, count as one. */
const DATA_KEY = /^(?:https?:|\d)/;

/** The fields of a JSON value: each path with the types seen there, e.g. `results[].title` → `string`. */
export function shapeOf(json) {
  const shape = new Map();
  const walk = (value, path) => {
    if (path !== '') shape.set(path, (shape.get(path) ?? new Set()).add(typeOf(value)));
    if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        const name = DATA_KEY.test(key) ? '*' : key;
        walk(inner, path === '' ? name : `${path}.${name}`);
      }
  };
  walk(json, '');
  return shape;
}

function typeOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * How a live value differs in shape from the documented one, field by field. A field whose parent is missing is not listed by itself. `null` and a
 * value are one type: services use both for optional fields.
 *
 * @returns lines such as `- results[].score: number, not in the answer`
 */
export function shapeDifferences(documented, live) {
  const [before, now] = [shapeOf(documented), shapeOf(live)];
  const typesOf = (types) =>
    [...types]
      .filter((type) => type !== 'null')
      .sort()
      .join('|') || 'null';
  const lines = [];
  for (const [path, types] of before) {
    const found = now.get(path);
    if (!found) {
      if (parentOf(path) === '' || now.has(parentOf(path)))
        lines.push(`- ${path}: ${typesOf(types)}, not in the answer`);
    } else if (typesOf(found) !== typesOf(types) && ![typesOf(found), typesOf(types)].includes('null')) {
      lines.push(`! ${path}: ${typesOf(found)}, documented as ${typesOf(types)}`);
    }
  }
  for (const [path, types] of now)
    if (!before.has(path) && (parentOf(path) === '' || before.has(parentOf(path))))
      lines.push(`+ ${path}: ${typesOf(types)}, not documented`);
  return lines;
}

/** `a.b[].c` → `a.b[]` → `a.b` → `a`. */
function parentOf(path) {
  if (path.endsWith('[]')) return path.slice(0, -2);
  const dot = path.lastIndexOf('.');
  return dot < 0 ? '' : path.slice(0, dot);
}
