import { type RouteDefinition, SerializerSelector } from "@fastify/fast-json-stringify-compiler";

type Compilers = ReturnType<typeof SerializerSelector>;

/** Makes each answer's serialiser when it is first needed: all of them together would hold up every start for half a second. */
export const lateSerializers: Compilers = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options);
  return (route: RouteDefinition) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (content) => {
      serialize ??= compile(route);
      return serialize(content);
    };
  };
};
