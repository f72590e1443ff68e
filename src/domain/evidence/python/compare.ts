// What two published versions of a Python package show side by side. A pure function over what was read of them.
import { type Evidence, evidenceOf, type Found, RANK } from '../finding.ts';
import { callableOf } from './callables.ts';
import { constructorOf, hasMember, isHandedOn, type Lineage, lineageOf, memberOf } from './classes.ts';
import { metadataFindings, type PythonMetadata } from './metadata.ts';
import type { Definition, PythonModule } from './model.ts';
import { type ClassTarget, Names, type Target } from './package.ts';
import { isPublicModule, isPublicName, offeredNames } from './public-names.ts';
import { changedCalls, writtenCall } from './signatures.ts';

interface PythonPackage {
  metadata: PythonMetadata;
  modules: ReadonlyMap<string, PythonModule>;
}

interface Road {
  module: string;
  name: string;
}

export function comparePython(old: PythonPackage, next: PythonPackage): Evidence {
  return evidenceOf(new Comparison(old, next).findings());
}

class Comparison {
  readonly #old: PythonPackage;
  readonly #next: PythonPackage;
  readonly #before: Names;
  readonly #after: Names;
  readonly #found: Found[] = [];

  constructor(old: PythonPackage, next: PythonPackage) {
    this.#old = old;
    this.#next = next;
    this.#before = new Names(old.modules);
    this.#after = new Names(next.modules);
  }

  findings(): Found[] {
    this.#found.push(...metadataFindings(this.#old.metadata, this.#next.metadata));
    const roads = new Map<Definition, { target: Target & { kind: 'definition' }; roads: Road[] }>();
    for (const module of this.#old.modules.values()) {
      if (!isPublicModule(module.name)) continue;
      const isKept = this.#next.modules.has(module.name);
      if (!isKept && !this.#isReachable(module.name)) this.#lostModule(module.name);
      for (const [name, target] of offeredNames(this.#before, module)) {
        if (isKept && this.#after.find(module.name, name) === null) this.#lostName(module, name, target);
        if (target.kind !== 'definition') continue;
        const known = roads.get(target.definition) ?? { target, roads: [] };
        known.roads.push({ module: module.name, name });
        roads.set(target.definition, known);
      }
    }
    for (const { target, roads: ways } of roads.values()) this.#compareDefinition(target, ways);
    return this.#found;
  }

  // A name of its package leads there: `sys.modules` or a lazy table may serve it.
  #isReachable(module: string): boolean {
    const parent = module.slice(0, module.lastIndexOf('.'));
    const found = this.#next.modules.get(parent);
    return (
      found !== undefined &&
      (found.isOpaque || found.isDynamic || (found.names.has(module.slice(parent.length + 1)) && !found.isPackage))
    );
  }

  #lostModule(module: string): void {
    const text = `the module \`${module}\` is gone`;
    this.#found.push({
      kind: 'subpath_removed',
      name: module,
      subpath: module,
      certainty: 'proven',
      was: `import ${module}`,
      is: null,
      text,
    });
  }

  #lostName(module: PythonModule, name: string, target: Target): void {
    const what = target.kind === 'definition' ? target.definition.kind : 'name';
    this.#found.push({
      kind: 'export_removed',
      name,
      subpath: module.name,
      certainty: 'proven',
      was: what,
      is: null,
      text: `\`${name}\` can no longer be imported from \`${module.name}\``,
      rank: what === 'value' ? RANK.type : RANK.call,
    });
  }

  #compareDefinition(old: Target & { kind: 'definition' }, roads: readonly Road[]): void {
    for (const road of roads.toSorted((a, b) => this.#nearness(a, old) - this.#nearness(b, old))) {
      const now = this.#after.find(road.module, road.name);
      if (now === null) continue;
      if (now.kind !== 'definition') return;
      if (old.definition.kind === 'class' && now.definition.kind === 'class') {
        this.#compareClasses(
          road,
          { module: old.module, definition: old.definition },
          { module: now.module, definition: now.definition },
        );
      } else this.#compareCalls(road, road.name, callableOf(this.#before, old), callableOf(this.#after, now));
      return;
    }
  }

  // The root first, then where it is defined, then the shortest way.
  #nearness({ module, name }: Road, { module: home, definition }: Target & { kind: 'definition' }): number {
    const depth = module.split('.').length;
    if (depth === 1) return 0;
    return (module === home && 'name' in definition && definition.name === name ? 1 : 2) + depth;
  }

  #compareClasses(road: Road, was: ClassTarget, is: ClassTarget): void {
    const [before, after] = [lineageOf(this.#before, was), lineageOf(this.#after, is)];
    const call = (lineage: Lineage) => ({ parameters: constructorOf(lineage), isSure: !isHandedOn(lineage) });
    this.#compareCalls(road, road.name, call(before), call(after));
    const told = new Set<string>();
    for (const { definition } of before.classes) {
      const isInherited = definition !== was.definition;
      for (const name of definition.members.keys()) {
        if (told.has(name) || !isPublicName(name) || name.startsWith('__')) continue;
        told.add(name);
        this.#compareMember({ road, name, isInherited }, before, after);
      }
    }
  }

  #compareMember(
    { road, name, isInherited }: { road: Road; name: string; isInherited: boolean },
    before: Lineage,
    after: Lineage,
  ): void {
    const full = `${road.name}.${name}`;
    const [mine, theirs] = [memberOf(before, name), memberOf(after, name)];
    if (!mine) return;
    if (!theirs) {
      // A base of another package may have it.
      if (after.isOpen || hasMember(after, name)) return;
      this.#found.push({
        kind: 'member_removed',
        name: full,
        subpath: road.module,
        certainty: 'proven',
        was: mine.definitions[0]?.kind ?? null,
        is: null,
        text: `\`${full}\` is gone`,
        rank: isInherited ? RANK.inherited : RANK.member,
      });
      return;
    }
    const called = (names: Names, { owner, definitions }: typeof mine) => {
      const [only, more] = definitions;
      if (!only || more || only.kind === 'import') return null;
      return callableOf(names, { kind: 'definition', module: owner.module, definition: only }, owner.definition);
    };
    this.#compareCalls(road, full, called(this.#before, mine), called(this.#after, theirs), isInherited);
  }

  #compareCalls(
    road: Road,
    name: string,
    old: ReturnType<typeof callableOf>,
    next: ReturnType<typeof callableOf>,
    isInherited = false,
  ): void {
    if (!old?.parameters || !next?.parameters) return;
    const isSure = old.isSure && next.isSure;
    for (const change of changedCalls(old.parameters, next.parameters)) {
      this.#found.push({
        kind: change.kind,
        name: `${name}(${change.parameter})`,
        subpath: road.module,
        certainty: isSure ? 'proven' : 'likely',
        was: writtenCall(name, old.parameters),
        is: writtenCall(name, next.parameters),
        text: `\`${name}\` ${change.words}`,
        rank: isInherited ? RANK.inherited : RANK.call,
      });
    }
  }
}
