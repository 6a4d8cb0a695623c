/* box2d_pile.cpp - box2d_pile STEPS: boxes fall on a pile, as a game moves them by Box2D; old ones go, new ones come.
   Uses Box2D's public interface only; its small objects lie in blocks of its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cstdio>
#include <cstdlib>
#include <deque>

#include "box2d/box2d.h"

static b2Body *drop(b2World *world, unsigned number) {
  b2BodyDef body;
  body.type = b2_dynamicBody;
  body.position.Set(static_cast<float>(number % 13) - 6.0f, 20.0f);
  b2Body *box = world->CreateBody(&body);
  b2PolygonShape shape;
  shape.SetAsBox(0.5f, 0.25f + 0.05f * static_cast<float>(number % 5));
  box->CreateFixture(&shape, 1.0f);
  return box;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  const unsigned steps =
      static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  b2World world(b2Vec2(0.0f, -10.0f));
  b2BodyDef ground;
  b2EdgeShape floor;
  floor.SetTwoSided(b2Vec2(-40.0f, 0.0f), b2Vec2(40.0f, 0.0f));
  world.CreateBody(&ground)->CreateFixture(&floor, 0.0f);
  std::deque<b2Body *> boxes;
  long contacts = 0;
  for (unsigned step = 0; step < steps; step++) {
    if (step % 3 == 0)
      boxes.push_back(drop(&world, step / 3));
    if (boxes.size() > 150) {
      world.DestroyBody(boxes.front());
      boxes.pop_front();
    }
    world.Step(1.0f / 60.0f, 8, 3);
    contacts += world.GetContactCount();
  }
  double height = 0;
  for (const b2Body *box : boxes)
    height += static_cast<double>(box->GetPosition().y);
  std::printf("%ld %.2f\n", contacts, height);
}
